// One page an entry of the package: what it exports, and the types that are named on the way.
import { Source } from './source.mjs';

/** The entries in the order of the pages: a type that two export is on the first one's. */
const ENTRIES = [
  { name: 'axisnorm', page: 'axisnorm.md', file: 'js/index.js' },
  { name: 'axisnorm/layers', page: 'layers.md', file: 'js/layers/index.js' },
  { name: 'axisnorm/slim', page: 'slim.md', file: 'js/slim.js' },
  { name: 'axisnorm/train', page: 'train.md', file: 'js/train/index.js' },
];

/** What an object is called in the headings of its methods; others go by their class. */
const INSTANCES = new Map([
  ['AxisNorm', 'an'],
  ['Slim', 'an'],
]);

/** What the type parameters of typedefs stand for. */
const TEMPLATES = new Map([
  ['R', { constraint: 'ResultOf' }],
  ['N', { constraint: 'Norms' }],
]);

const UNEXPORTED = 'Types that are not exported';

/** Named in types, but nothing that a reader holds. */
const INTERNAL = new Set(['Runtime']);

/** The page that explains the norms, which axisnorm/slim exports before they are made. */
const NORMS = 'axisnorm.md';

const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
const oneLine = (text) => text.replace(/\s*\n\s*/g, ' ');
/** Where a comment says what an option is when it is left out. */
const DEFAULTS = [
  /\bdefault:? (the [^;.,]+|\w+ where [^;.,]+|'[^']*'|\[[^\]]*\]|-?\d+(?:\.\d+)?(?:e-?\d+)?|\w+)/i,
  /('[^']*'|\w+) \(default\b/,
  /\b([\w-]+) if left out/,
];
const defaultIn = (text) =>
  DEFAULTS.map((pattern) => oneLine(text).match(pattern)?.[1]).find(Boolean);
const cell = (text) => oneLine(text).replaceAll('|', '\\|');
const paragraphs = (...parts) => parts.flat().filter(Boolean).join('\n\n');

/** @param {string[][]} rows  the first is the head */
const table = ([head, ...rows]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

class Page {
  #source;
  #homes;
  /** Types that were named and have no page of their own yet. */
  #waiting = [];
  #headings = new Map();

  constructor(source, homes, entry) {
    this.#source = source;
    this.#homes = homes;
    this.entry = entry;
  }

  text() {
    const source = this.#source;
    const { name, file } = this.entry;
    const all = [...source.exportsOf(file)];
    const own = all.filter(([, symbol]) => this.#isHere(symbol));
    const values = own.filter(([, symbol]) => !source.isType(symbol));
    const sections = [
      ...values.map(([title, symbol]) => this.#value(title, symbol)),
      ...own
        .filter(([, symbol]) => source.isType(symbol))
        .sort(([, a], [, b]) => source.isClass(b) - source.isClass(a))
        .map(([, symbol]) => this.#type(this.#homes.get(symbol).title, symbol)),
    ];
    const others = this.#others();
    const elsewhere = all.filter(([, symbol]) => !this.#isHere(symbol));
    return `${paragraphs(
      `# API: ${name}`,
      source.overview(file),
      elsewhere.length > 0 &&
        `Also exported: ${elsewhere.map((one) => this.#elsewhere(one)).join(', ')}.`,
      sections,
      others.length > 0 && this.#heading(2, UNEXPORTED),
      others,
    )}\n`;
  }

  /** Headings of the second level, for the index. */
  get names() {
    return [...this.#headings]
      .filter(([title, level]) => level === 2 && title !== UNEXPORTED)
      .map(([title]) => title);
  }

  #heading(level, title) {
    for (const known of this.#headings.keys()) {
      if (slug(known) === slug(title)) throw new Error(`${this.entry.page}: two are "${title}"`);
    }
    this.#headings.set(title, level);
    return `${'#'.repeat(level)} ${title}`;
  }

  #isHere(symbol) {
    const home = this.#homes.get(symbol);
    return home?.page === this.entry.page;
  }

  #elsewhere([title, symbol]) {
    return `[\`${title}\`](${this.#address(symbol)})`;
  }

  #address(symbol) {
    const { page, title } = this.#homes.get(symbol);
    return `${page === this.entry.page ? '' : page}#${slug(title)}`;
  }

  /** Types that were named so far, and those that they name. */
  #others() {
    const texts = [];
    while (this.#waiting.length > 0) {
      const symbol = this.#waiting.shift();
      texts.push(this.#type(this.#homes.get(symbol).title, symbol, 3));
    }
    return texts;
  }

  /** The type that a name stands for, which then has a section somewhere. */
  #named(name, from) {
    const symbol = this.#source.lookup(name, from);
    if (symbol === undefined || INTERNAL.has(name)) return undefined;
    if (!this.#homes.has(symbol)) {
      const { page, file } = this.entry;
      this.#homes.set(symbol, { page, title: titleOf(this.#source, file, symbol.name) });
      this.#waiting.push(symbol);
    }
    return this.#address(symbol);
  }

  /** A type in Markdown, linked where it is a name or a choice of names. */
  #show(text, from) {
    if (text.startsWith('Promise<')) {
      return `\`Promise\` of ${this.#show(text.slice(8, -1), from)}`;
    }
    const links = new Map(
      [...text.matchAll(/(?<!['.\w])[A-Z]\w+(?!\w*')/g)].map(([name]) => [
        name,
        this.#named(name, from),
      ]),
    );
    const [, name] = text.match(/^(\w+)<.*>$/) ?? [];
    if (links.get(name)) return `[\`${name}\`](${links.get(name)})`;
    const link = (part) => {
      const address = links.get(part.replace(/^readonly |\[\]$/g, ''));
      return address ? `[\`${part}\`](${address})` : `\`${part}\``;
    };
    // A choice within brackets is one piece.
    const isChoice = !/[<({].*\|/.test(text);
    return isChoice ? text.split(' | ').map(link).join(' | ') : `\`${text}\``;
  }

  #value(title, symbol) {
    const source = this.#source;
    const type = source.typeOf(symbol);
    const [signature] = source.signaturesOf(type);
    const heading = this.#heading(2, title);
    if (signature === undefined) {
      const text = this.#show(source.kindText(symbol), source.fileOf(symbol));
      return paragraphs(heading, source.docOf(symbol), `Type: ${text}`);
    }
    const [first] = signature.parameters;
    if (first?.name === 'runtime') {
      const there = `[\`an.${title}\`](${NORMS}#${slug(`an.${title}`)})`;
      return paragraphs(heading, `For \`norms\` of [\`load\`](#load), which makes ${there} of it.`);
    }
    return paragraphs(heading, this.#signature(title, signature, source.fileOf(symbol)));
  }

  /** A function: what it does, takes, returns and throws. */
  #signature(title, signature, from, { isMade = false, around } = {}) {
    const source = this.#source;
    const tags = (name) => [signature, around].flatMap((of) => (of ? source.tagsOf(of, name) : []));
    const limits = source.parametersOf(signature);
    const { parameters } = signature;
    const list = parameters.map(
      (one) => `${one.name}${source.isParameterOptional(one) ? '?' : ''}`,
    );
    const options = parameters.filter((one) => this.#isOptions(one));
    const rows = parameters.map((one) => [
      `\`${one.name}\``,
      cell(
        options.includes(one) ? 'options, below' : this.#show(source.typeText(one, limits), from),
      ),
      cell(source.docOf(one)),
    ]);
    const returns = source.returnText(signature, limits);
    const [returned = ''] = tags('returns');
    return paragraphs(
      `\`\`\`js\n${isMade ? 'new ' : ''}${title}(${list.join(', ')})\n\`\`\``,
      source.docOf(signature) || (around && source.docOf(around)),
      rows.length > 0 && table([['argument', 'type', 'meaning'], ...rows]),
      options.map((one) => this.#options(one, limits, from)),
      !isMade &&
        returns !== 'void' &&
        `Returns ${this.#show(returns, from)}${returned && `: ${oneLine(returned)}`}`,
      tags('throws').map((one) => `Throws ${oneLine(one.replace(/^\{(.*?)\} ?/, '`$1`: '))}`),
      tags('example').map((one) => `\`\`\`js\n${one}\n\`\`\``),
      tags('see').map((one) => `See ${oneLine(one).replaceAll(' ,', ',')}`),
    );
  }

  #isOptions(parameter) {
    if (!/^(options|settings)$/.test(parameter.name)) return false;
    return this.#source.propertiesOf(this.#source.typeOf(parameter)).length > 0;
  }

  #options(parameter, limits, from) {
    const source = this.#source;
    const type = source.checker.getNonNullableType(source.typeOf(parameter));
    const doc = type.aliasSymbol ? source.docOf(type.aliasSymbol) : '';
    return this.#properties('option', source.propertiesOf(type), limits, from, doc);
  }

  /**
   * A table of properties. One that has no comment of its own, in a type that is written in braces,
   * takes it from that of the type: "`out`: where y is written".
   */
  #properties(noun, properties, limits, from, around = '') {
    const source = this.#source;
    const inBraces = new Map([...around.matchAll(/`(\w+)`: ([^`]+)/g)].map(([, k, v]) => [k, v]));
    const rows = properties.map((one) => {
      const file = source.fileOf(one) ?? from;
      const doc = source.docOf(one) || inBraces.get(one.name) || '';
      const row = [
        `\`${one.name}\``,
        cell(this.#show(source.typeText(one, limits), file)),
        cell(doc.trim()),
      ];
      if (noun !== 'option') return row;
      const fallback = source.isOptional(one) ? (defaultIn(doc) ?? '–') : '**required**';
      return row.toSpliced(2, 0, fallback.replace(/^['[\d-].*|^(true|false)$/, '`$&`'));
    });
    const head =
      noun === 'option' ? [noun, 'type', 'default', 'meaning'] : [noun, 'type', 'meaning'];
    return table([head, ...rows]);
  }

  /** A class, an object, or how a type was written. */
  #type(title, symbol, level = 2) {
    const source = this.#source;
    const heading = this.#heading(level, title);
    const doc = source.docOf(symbol);
    const from = source.fileOf(symbol);
    if (source.isClass(symbol)) return paragraphs(heading, doc, this.#class(symbol, level));
    const type = source.typeOf(symbol);
    const [signature] = source.signaturesOf(type);
    if (signature) return paragraphs(heading, this.#signature(title, signature, from));
    const definition = source.definitionOf(symbol);
    const properties = source.isPlainObject(type) ? source.propertiesOf(type) : [];
    if (properties.length === 0) {
      // Names in it get their sections, too.
      const shown = this.#show(definition ?? source.typeText(symbol), from);
      return paragraphs(heading, doc, shown);
    }
    return paragraphs(heading, doc, this.#members(symbol, properties, level, doc));
  }

  #class(symbol, level) {
    const source = this.#source;
    const base = source.baseOf(symbol);
    const made = this.#homes.get(symbol).isValue && source.constructorOf(symbol);
    const instance = source.propertiesOf(source.typeOf(symbol));
    const own = instance.filter((one) => source.isOwn(one, symbol) || base === undefined);
    const rest = instance.filter((one) => !own.includes(one));
    const statics = source.staticsOf(symbol).filter((one) => source.isOwn(one, symbol));
    const inherited = rest.map((one) => `\`${one.name}\``).join(', ');
    const from = source.fileOf(symbol);
    return paragraphs(
      made && this.#signature(symbol.name, made, from, { isMade: true }),
      this.#members(symbol, own, level),
      statics.map((one) => this.#method(`${symbol.name}.${one.name}`, one, level + 1, 'static ')),
      base &&
        rest.length > 0 &&
        `As every [\`${base.name}\`](${this.#named(base.name, from)}): ${inherited}.`,
    );
  }

  #members(symbol, members, level, doc) {
    const source = this.#source;
    const isMethod = (one) => source.signaturesOf(source.typeOf(one)).length > 0;
    const values = members.filter((one) => !isMethod(one));
    const instance =
      INSTANCES.get(symbol.name) ??
      (source.isClass(symbol) ? instanceOf(symbol.name) : symbol.name);
    return paragraphs(
      values.length > 0 &&
        this.#properties(this.#nounOf(symbol), values, TEMPLATES, source.fileOf(symbol), doc),
      members
        .filter(isMethod)
        .map((one) => this.#method(`${instance}.${one.name}`, one, level + 1)),
    );
  }

  #nounOf = ({ name }) => (/(Options|Settings)$/.test(name) ? 'option' : 'property');

  #method(title, symbol, level, prefix = '') {
    const source = this.#source;
    const type = source.typeOf(symbol);
    const [signature] = source.signaturesOf(type);
    const from = source.fileOf(signature.declaration?.symbol ?? symbol) ?? source.fileOf(symbol);
    // `{ layerNorm }` has a line of its own, before what the function says.
    const line = source.docOf(symbol);
    const isSaidBelow = line === '' || source.docOf(signature).includes(line);
    return paragraphs(
      this.#heading(level, prefix + title),
      !isSaidBelow && sentence(line),
      this.#signature(title, signature, from, { around: type.aliasSymbol }),
      source.propertiesOf(type).map((one) => this.#method(`${title}.${one.name}`, one, level + 1)),
    );
  }
}

/** RMSNorm -> rmsNorm */
const instanceOf = (name) =>
  name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.:)]$/.test(text) ? '' : '.');

/** The heading of a name. ChunkSums, which chunkSums returns, would have no anchor of its own. */
function titleOf(source, file, name) {
  const isTwin = ([other, symbol]) =>
    other !== name && slug(other) === slug(name) && !source.isType(symbol);
  return [...source.exportsOf(file)].some(isTwin) ? `${name} (type)` : name;
}

/** All pages: name of the file -> text. */
export function pages() {
  const source = new Source(ENTRIES.map(({ file }) => file));
  const homes = new Map();
  for (const { file, page } of ENTRIES) {
    const isValue = source.valuesOf(file);
    for (const [name, symbol] of source.exportsOf(file)) {
      if (homes.has(symbol)) continue;
      homes.set(symbol, { page, title: titleOf(source, file, name), isValue: isValue(name) });
    }
  }
  const made = ENTRIES.map((entry) => {
    const page = new Page(source, homes, entry);
    return { entry, text: page.text(), names: page.names };
  });
  const lists = made.map(({ entry, names }) => {
    const links = names.map((name) => `[${name}](${entry.page}#${slug(name)})`).join(', ');
    return `## [${entry.name}](${entry.page})\n\n${source.overview(entry.file).split('\n\n')[0]}\n\n${links}`;
  });
  return { texts: new Map(made.map(({ entry, text }) => [entry.page, text])), lists };
}
