import { TextField, type TextFieldProps } from './text-field.tsx'

/** A text that is not to be read by others, with a button that shows it. */
export function PasswordField(props: Omit<TextFieldProps, 'secret' | 'digits'>) {
  return <TextField {...props} secret />
}
