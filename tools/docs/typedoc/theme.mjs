// How the pages look.
import { MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';

export class Theme extends MarkdownTheme {
  getRenderContext(page) {
    const context = new MarkdownThemeContext(this, page, this.application.options);
    context.partials = {
      ...context.partials,
      inheritance: () => '',
      parametersTable: (parameters) => tables(parameters, context.partials),
    };
    return context;
  }
}

/** A table of arguments, and one of the options below it. */
function tables(parameters, partials) {
  const row = (one, type) => {
    const meaning = one.comment ? partials.comment(one.comment, { isTableColumn: true }) : '';
    const name = `\`${one.name}${one.flags.isOptional ? '?' : ''}\``;
    return [name, type ?? partials.someType(one.type), meaning.replaceAll('|', '\\|')];
  };
  const optionsOf = (one) => one.type?.declaration?.children ?? [];
  const isOptions = (one) => optionsOf(one).length > 0;
  const rows = parameters.map((one) => row(one, isOptions(one) ? 'options, below' : undefined));
  const options = parameters
    .filter(isOptions)
    .map((one) => optionsOf(one).map((each) => row(each)));
  return [table('argument', rows), ...options.map((each) => table('option', each))].join('\n\n');
}

function table(noun, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.trim().replace(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [[noun, 'type', 'meaning'], ['---', '---', '---'], ...rows].map(line).join('\n');
}

/** Without quotes around `an.layerNorm`, rules, and what only the compiler needs. */
export const plain = (text) =>
  text
    .replace(/^(?:function|const) "(.*?)"/gm, '$1')
    .replace(/\n\*\*\*\n/g, '')
    .replace(/\\<`ArrayBuffer(Like)?`\\>|<ArrayBuffer(Like)?>/g, '');

/** Lists the sections before the first. */
export function withContents(text) {
  const section = /^<a id="(.*)"><\/a>\n\n## (.*)$/gm;
  const links = [...text.matchAll(section)].map(([, anchor, title]) => `[${title}](#${anchor})`);
  return text.replace(/^<a id/m, `${links.join(', ')}\n\n$&`);
}
