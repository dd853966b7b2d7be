/**
 * What a service worker says when it is active and asked.
 *
 * @param {string} url
 * @param {RegistrationOptions} [options]
 */
export async function askServiceWorker(url, options) {
  await navigator.serviceWorker.register(url, options);
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  active.postMessage('what are the numbers?', [port2]);
  return answer;
}
