import { CopyButton } from './copy-button.tsx';

/** Code to copy. */
export function CodeBlock({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    <div className="code">
      <section aria-label={label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code scrolls by keyboard, too. */}
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton text={code} label={`Copy the ${label}`} />
    </div>
  );
}
