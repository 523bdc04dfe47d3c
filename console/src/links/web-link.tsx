interface WebLinkProps {
  /** `undefined`: no address of the web, so a text alone. */
  readonly href: string | undefined;
  readonly text: string;
}

/** An address that somebody has entered: it opens in another tab, which learns nothing of this one. */
export const WebLink = ({ href, text }: WebLinkProps) =>
  href === undefined ? (
    text
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer" className="web-link">
      {text}
    </a>
  );
