import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';

interface Option<Value extends string> {
  readonly value: Value;
  readonly text: string;
}

interface SelectProps<Value extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of one. */
export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
}: SelectProps<Value>) {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(chosen) => {
        const option = options.find((each) => each.value === chosen);
        if (option !== undefined) onChange(option.value);
      }}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'react-aria-Label'}>{label}</Label>
      <Button className="input select">
        <SelectValue />
        <span aria-hidden="true" className="chevron" />
      </Button>
      <Popover className="popover">
        <ListBox className="options" items={options}>
          {({ value: id, text }) => (
            <ListBoxItem id={id} className="option" textValue={text}>
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
