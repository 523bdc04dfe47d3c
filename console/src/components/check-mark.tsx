/** The box of a check mark, and the mark in it. */
export function CheckMark() {
  return (
    <span className="box">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="m3.5 8.5 3 3 6-7" />
      </svg>
    </span>
  );
}

interface TickProps {
  readonly label: string;
  readonly isSelected: boolean;
  /** Whether some of several are selected. */
  readonly isPartly?: boolean;
  /** With the shift key: from the last one to this. */
  readonly onPress: (isRange: boolean) => void;
}

/** A box without a text, light enough for the rows of long lists. */
export function Tick({ label, isSelected, isPartly = false, onPress }: TickProps) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartly && !isSelected;
        }}
        readOnly
        // With the shift key, the browser would select text.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={({ shiftKey }) => onPress(shiftKey)}
      />
      <CheckMark />
    </label>
  );
}
