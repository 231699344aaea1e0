import { TextField, type TextFieldProps } from './text-field.tsx'

/** A number, kept as text: what is typed is what the rules judge. */
export function NumberField(props: Omit<TextFieldProps, 'secret' | 'digits'>) {
  return <TextField {...props} digits />
}
