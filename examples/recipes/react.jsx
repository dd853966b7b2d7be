import { load } from 'axisnorm';
import { Suspense, use, useMemo } from 'react';

const loading = load(); // once a page, not once a component

export function useLayerNorm(x, options) {
  const an = use(loading);
  return useMemo(() => an.layerNorm(x, options), [an, x, options]);
}

const OPTIONS = { normalizedShape: 4 }; // a new object each time would be new work each time

function Row({ x }) {
  const y = useLayerNorm(x, OPTIONS);
  return <output>{Array.from(y, (v) => v.toFixed(3)).join(' ')}</output>;
}

export function Normalized({ x }) {
  return (
    <Suspense fallback="loading…">
      <Row x={x} />
    </Suspense>
  );
}
