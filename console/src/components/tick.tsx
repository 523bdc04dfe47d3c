interface TickProps {
  readonly label: string;
  readonly isSelected: boolean;
  /** Whether some of several are selected. */
  readonly isPartly?: boolean;
  /** With the shift key: from the last one to this. */
  readonly onPress: (isRange: boolean) => void;
}

/** A check box without a text, for the rows of lists. */
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
    </label>
  );
}
