// Comments that TypeDoc leaves out.
import { Comment, ReflectionKind } from 'typedoc';
import ts from 'typescript';

export function addSummary(context, one) {
  const symbol = context.getSymbolFromReflection(one);
  const { declarations = [] } = symbol ? context.resolveAliasedSymbol(symbol) : {};
  for (const declaration of declarations) {
    if (isTypedef(declaration)) addTextBefore(declaration, one);
    if (isMethod(declaration)) addTextOf(declaration.initializer, one, context);
  }
}

const isTypedef = (node) => ts.isJSDocTypedefTag(node) || ts.isJSDocCallbackTag(node);

/** As `const scope = an.scope` in entries. */
const isMethod = (node) =>
  ts.isVariableDeclaration(node) &&
  node.initializer &&
  ts.isPropertyAccessExpression(node.initializer);

/** What a comment says before its `@typedef`. */
function addTextBefore(typedef, one) {
  const text = ts.getTextOfJSDocComment(typedef.parent.comment);
  if (text) addTo(one, [{ kind: 'text', text }]);
}

/** What is said where the type of a method is, or else of the property that it is. */
function addTextOf(method, one, context) {
  const type = context.checker.getTypeAtLocation(method);
  const typedef = type.aliasSymbol?.declarations?.find(isTypedef);
  if (typedef) addTextBefore(typedef, one);
  const property = context.checker.getSymbolAtLocation(method);
  addTo(one, context.getComment(property, ReflectionKind.Property)?.summary ?? []);
}

function addTo(one, summary) {
  one.comment ??= new Comment();
  if (one.comment.summary.length === 0) one.comment.summary = summary;
}

/** Makes one list of all `@throws`, with the classes of the errors. */
export function listThrows({ comment }) {
  const thrown = comment?.getTags('@throws') ?? [];
  if (thrown.length === 0) return;
  const [first, ...rest] = thrown;
  first.content = thrown.flatMap(({ typeAnnotation, content }) => [
    { kind: 'text', text: `\n- \`${typeAnnotation.slice(1, -1)}\`: ` },
    ...content,
  ]);
  comment.blockTags = comment.blockTags.filter((tag) => !rest.includes(tag));
}
