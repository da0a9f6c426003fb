/** The properties of a dialog that its page opens and closes. */
export interface DialogProps {
  isOpen: boolean;
  onClose(): void;
}

/** The properties of a field whose value is kept outside of it. */
export interface FieldProps<Value> {
  value: Value;
  onChange(value: Value): void;
}
