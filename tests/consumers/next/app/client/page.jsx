'use client';

import { useEffect } from 'react';
import { checkAll } from '../../all.js';
import { report } from '../../report.js';

export default function Page() {
  useEffect(() => {
    report(checkAll(new URL('axisnorm/wasm/simd128.wasm', import.meta.url)));
  }, []);
  return <p>computing</p>;
}
