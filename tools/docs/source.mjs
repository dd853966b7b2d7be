// The names and types of js/, as TypeScript reads them from its comments.
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { root } from '../lib.mjs';

const FORMAT =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

const folder = join(root, 'js');
const fileOf = (declaration) => declaration?.getSourceFile().fileName;
const isOurs = (declaration) => {
  const file = fileOf(declaration);
  return file !== undefined && !relative(folder, file).startsWith('..');
};

/** Names on one line, without stars, imports and what only the compiler needs. */
const tidy = (text) =>
  text
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/import\([^)]*\)\./g, '')
    .replace(/<ArrayBuffer(Like)?>/g, '')
    .replace(/; }/g, ' }')
    .trim();

/** Whether a type names one of its parameters, such as X. */
const hasParameter = (text) => /\b[A-Z]\b/.test(text);

export class Source {
  /** @param {string[]} entries  paths below the project's folder */
  constructor(entries) {
    const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.program = ts.createProgram(
      entries.map((path) => join(root, path)),
      { ...options, typeRoots: [join(root, 'node_modules/@types')] },
    );
    this.checker = this.program.getTypeChecker();
    this.#collectNames();
  }

  /** All types of js/ by name; some have the same name in two folders. */
  #collectNames() {
    this.byName = new Map();
    for (const file of this.program.getSourceFiles()) {
      const module = isOurs(file) && this.checker.getSymbolAtLocation(file);
      if (!module) continue;
      for (const given of this.checker.getExportsOfModule(module)) {
        const symbol = this.resolve(given);
        if (!(symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class))) continue;
        const known = this.byName.get(symbol.name) ?? new Set();
        this.byName.set(symbol.name, known.add(symbol));
      }
    }
  }

  /**
   * What a name stands for, where it was imported.
   *
   * A typedef that only hands on a type of another file (`@typedef {import('./a.js').A} A`) is that
   * type.
   */
  resolve(symbol) {
    let one = symbol;
    if (one.flags & ts.SymbolFlags.Alias) one = this.checker.getAliasedSymbol(one);
    const typedef = one.declarations?.find(ts.isJSDocTypedefTag);
    const node = typedef?.typeExpression?.type;
    if (node && ts.isImportTypeNode(node) && node.qualifier) {
      return this.resolve(this.checker.getSymbolAtLocation(node.qualifier) ?? one);
    }
    return one;
  }

  /** The exports of an entry: name -> symbol. */
  exportsOf(entry) {
    const module = this.checker.getSymbolAtLocation(this.#file(entry));
    return new Map(
      this.checker.getExportsOfModule(module).map((given) => [given.name, this.resolve(given)]),
    );
  }

  /** Whether an entry exports a name as a value, and not only its type. */
  valuesOf(entry) {
    const module = this.checker.getSymbolAtLocation(this.#file(entry));
    const given = this.checker.getExportsOfModule(module);
    const values = new Set(given.filter((one) => !(one.flags & ts.SymbolFlags.TypeAlias)));
    return (name) => [...values].some((one) => one.name === name);
  }

  /** The comment at the top of a file. */
  overview(entry) {
    const [comment] = this.#file(entry).text.match(/^\/\*\*.*?\*\//s) ?? [''];
    return comment
      .replace(/^\/\*\* ?|\s*\*\/$/g, '')
      .replace(/^ \* ?/gm, '')
      .trim();
  }

  #file(entry) {
    return this.program.getSourceFile(join(root, entry));
  }

  /** The type that a file means by a name; the nearest where there are two. */
  lookup(name, from) {
    const found = [...(this.byName.get(name) ?? [])].filter((one) => !this.isHidden(one));
    const near = (symbol) => dirname(fileOf(symbol.declarations[0])) === dirname(from);
    return (
      found.find((one) => fileOf(one.declarations[0]) === from) ?? found.find(near) ?? found[0]
    );
  }

  fileOf(symbol) {
    return fileOf(symbol.declarations?.[0]);
  }

  /** What is not for readers: private, protected and @internal names. */
  isHidden(symbol) {
    if (symbol.name.startsWith('#') || symbol.name.startsWith('__')) return true;
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined) return false;
    if (ts.isPrivateIdentifierClassElementDeclaration(declaration)) return true;
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
    if (ts.getCombinedModifierFlags(declaration) & hidden) return true;
    return ts
      .getJSDocTags(declaration)
      .some(({ tagName }) => ['internal', 'protected', 'private'].includes(tagName.text));
  }

  docOf(symbol) {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim();
  }

  /** Texts of the tags of a name or signature, such as all `throws`. */
  tagsOf(of, name) {
    const tags = of.getJsDocTags(this.checker).filter((tag) => tag.name === name);
    return tags.map(({ text }) => ts.displayPartsToString(text).trim()).filter(Boolean);
  }

  typeOf(symbol) {
    const [declaration] = symbol.declarations ?? [];
    const isType = symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class);
    if (isType) return this.checker.getDeclaredTypeOfSymbol(symbol);
    return this.checker.getTypeOfSymbolAtLocation(symbol, declaration);
  }

  /** Signatures of a function, without those of an optional one's `undefined`. */
  signaturesOf(type) {
    return this.checker.getNonNullableType(type).getCallSignatures();
  }

  constructorOf(symbol) {
    const type = this.checker.getTypeOfSymbolAtLocation(symbol, symbol.declarations[0]);
    const [signature] = type.getConstructSignatures();
    const declaration = signature?.declaration;
    const isOpen = declaration === undefined || !this.#isInternal(declaration);
    return isOpen ? signature : undefined;
  }

  #isInternal(declaration) {
    return ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal');
  }

  /** Properties of an object of ours, in the order in which they were written. */
  propertiesOf(type) {
    const properties = this.checker.getNonNullableType(type).getProperties();
    return properties.filter((one) => (one.declarations ?? []).some(isOurs) && !this.isHidden(one));
  }

  staticsOf(symbol) {
    const type = this.checker.getTypeOfSymbolAtLocation(symbol, symbol.declarations[0]);
    return type
      .getProperties()
      .filter((one) => one.name !== 'prototype' && isOurs(one.declarations?.[0]))
      .filter((one) => !this.isHidden(one));
  }

  baseOf(symbol) {
    const [base] = this.checker.getDeclaredTypeOfSymbol(symbol).getBaseTypes?.() ?? [];
    return base?.symbol && isOurs(base.symbol.declarations?.[0]) ? base.symbol : undefined;
  }

  isClass = (symbol) => Boolean(symbol.flags & ts.SymbolFlags.Class);
  isType = (symbol) => Boolean(symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Class));
  isOptional = (symbol) => Boolean(symbol.flags & ts.SymbolFlags.Optional);
  isOwn = (member, symbol) => member.parent === symbol;
  isParameterOptional = ({ declarations: [declaration] }) =>
    Boolean(declaration && this.checker.isOptionalParameter(declaration));

  /** How a typedef was written. */
  definitionOf(symbol) {
    const typedef = symbol.declarations?.find(ts.isJSDocTypedefTag);
    const node = typedef?.typeExpression;
    return node && ts.isJSDocTypeExpression(node) ? tidy(node.type.getText()) : undefined;
  }

  /** Whether a type is an object with named properties and nothing else. */
  isPlainObject(type) {
    const parts = type.isIntersection() ? type.types : [type];
    return parts.every((part) => part.flags & ts.TypeFlags.Object && !part.isClass());
  }

  /** What a property or parameter holds, as it was written where that says it. */
  typeText(symbol, parameters) {
    const [declaration] = symbol.declarations ?? [];
    const node =
      declaration?.typeExpression?.type ??
      (declaration && ts.getJSDocType(declaration)) ??
      declaration?.type;
    const written = node && tidy(node.getText());
    const text = written && !hasParameter(written) ? written : this.#print(this.typeOf(symbol));
    const whole = this.isOptional(symbol) ? text.replace(/ \| undefined$/, '') : text;
    return substitute(whole, parameters);
  }

  /** What kind of value a constant is. */
  kindText(symbol) {
    return this.#print(this.checker.getBaseTypeOfLiteralType(this.typeOf(symbol)));
  }

  returnText(signature, parameters) {
    return substitute(this.#print(signature.getReturnType()), parameters, true);
  }

  #print(type) {
    return tidy(this.checker.typeToString(type, undefined, FORMAT));
  }

  /** What stands for the type parameters of a signature: name -> { constraint, fallback }. */
  parametersOf(signature) {
    return new Map(
      (signature.getTypeParameters() ?? []).map((one) => {
        const constraint = one.getConstraint();
        const fallback = one.getDefault();
        return [
          one.symbol.name,
          {
            constraint: constraint ? this.#print(constraint) : undefined,
            fallback: fallback ? this.#print(fallback) : undefined,
          },
        ];
      }),
    );
  }
}

/** Puts limits in the place of type parameters, and leaves out the arguments that are some. */
function substitute(text, parameters, isResult = false) {
  const limitOf = (name) => {
    const { constraint, fallback } = parameters?.get(name) ?? {};
    return (isResult ? (fallback ?? constraint) : constraint) ?? name;
  };
  const keys = text.match(/^\{ \[\w+ in (\w)\]: .* \}$/);
  if (keys) return `{ ${limitOf(keys[1]).replaceAll("'", '').replaceAll(' | ', ', ')} }`;
  return text
    .replace(/(?<=\w)<[A-Z](, [A-Z])*>/g, '')
    .replace(/\b([A-Z])\b(\[\])?/g, (_, name, list = '') => {
      const limit = limitOf(name);
      return list && limit.includes(' | ') ? `(${limit})${list}` : limit + list;
    })
    .replace(/(?<=\w)<[A-Z](, [A-Z])*>/g, '');
}
