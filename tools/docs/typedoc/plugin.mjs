// What TypeDoc needs to know to read the comments of js/ as they are meant.
import { Converter } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { addSummary, listThrows } from './comments.mjs';
import { settle } from './generics.mjs';
import { asProperty, isInherited } from './members.mjs';
import { expandOptions } from './options.mjs';
import { plain, Theme, withContents } from './theme.mjs';

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.renderer.defineTheme('axisnorm', Theme);
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, expandOptions);
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, addSummary);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    // Not axisnorm-docs, which the entries are part of: types of this package are to be exported.
    project.packageName = 'axisnorm';
    const all = () => Object.values(project.reflections);
    for (const one of all()) if (isInherited(one)) project.removeReflection(one);
    for (const one of all()) {
      asProperty(one);
      settle(one);
      listThrows(one);
    }
  });
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = withContents(plain(page.contents));
  });
}
