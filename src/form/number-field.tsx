import { TextField, type TextFieldProps } from './text-field.tsx'

/** A number. Its value is the typed text, so that rules can check what the user typed. */
export function NumberField(props: Omit<TextFieldProps, 'secret' | 'numeric'>) {
  return <TextField {...props} numeric />
}
