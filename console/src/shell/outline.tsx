import { Logo } from './logo.tsx';
import { EarlyScreenHead } from './screen-head.tsx';

/** What surrounds every screen, before it is known who is signed in; the same is in the page, before any script. */
export function Outline() {
  return (
    <div className="shell">
      <header className="bar">
        <Brand />
      </header>
      <main id="main" tabIndex={-1} aria-busy="true">
        <EarlyScreenHead />
      </main>
    </div>
  );
}

export function Brand() {
  return (
    <a className="brand" href="/">
      <Logo size={28} />
      <span>Academic Structure</span>
    </a>
  );
}
