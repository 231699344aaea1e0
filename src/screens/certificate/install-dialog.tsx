// Dialog that installs a certificate with its private key.
import { useRef } from 'react'
import { required } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { type FieldLabels, FieldMessage, useFieldProps } from '../../form/labelled-field.tsx'
import { type FieldBinding, useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { installCertificate } from './store.ts'
import { TEXT } from './text.ts'

/** The texts of the files. */
interface Values {
  certificate: string
  key: string
}

export function InstallDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<Values>(
    { certificate: required, key: required },
    { certificate: '', key: '' },
    (values, options) => installCertificate(values.certificate, values.key, options),
    { onSuccess: onClose }
  )
  return (
    <FormDialog form={form} submitLabel={t(TEXT.install)} onClose={onClose}>
      <p className="muted">{t(TEXT.installHint)}</p>
      <PemField {...form.field('certificate')} label={t(TEXT.certificateFile)} accept=".pem,.crt,.cer" />
      <PemField {...form.field('key')} label={t(TEXT.keyFile)} accept=".pem,.key" />
    </FormDialog>
  )
}

/** Selects a text file. Its value is the text of the file. */
function PemField({
  name,
  error,
  onValueChange,
  onBlur,
  label,
  hint,
  accept
}: FieldBinding<string> & FieldLabels & { accept: string }) {
  const { controlProps, messageProps } = useFieldProps({ error, hint })
  const selection = useRef(0)
  const readFile = async (file: File | undefined) => {
    const current = ++selection.current
    const text = (await file?.text()) ?? ''
    // Another file may have been selected meanwhile.
    if (current === selection.current) onValueChange(text)
  }
  return (
    <div className="field">
      <label>
        {label}
        <input
          {...controlProps}
          type="file"
          name={name}
          accept={accept}
          onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])}
          onBlur={onBlur}
        />
      </label>
      <FieldMessage {...messageProps} />
    </div>
  )
}
