/**
 * Tells what came out, or what went wrong, to the test: in the page that it looks at, or, in a
 * program, on its output.
 */
export function report(promise) {
  if (typeof document === 'undefined') return promise.then((text) => console.log(text));
  return promise
    .catch((error) => `failed: ${error?.message ?? error}`)
    .then((text) => {
      document.documentElement.dataset.report = text;
      document.body.textContent = text;
    });
}
