import { TextField, type TextFieldProps } from './text-field.tsx'

/** A secret, hidden until the user presses the button that shows it. */
export function PasswordField(props: Omit<TextFieldProps, 'secret' | 'numeric'>) {
  return <TextField {...props} secret />
}
