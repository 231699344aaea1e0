// Dialog that changes one port of the hub.
import { portOrDefault } from '../../../contract/rules/number.ts'
import { type HubPort, PORT_CONFIRM_TIME } from '../../../contract/web/ports.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { changePort, isShared } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  port: string
}

interface PortDialogProps {
  port: HubPort
  /** The page to which the console returns at the new port. */
  returnTo: string
  onClose: () => void
}

const HINTS = {
  http: TEXT.httpHint,
  https: TEXT.httpHint,
  link: TEXT.linkHint,
  files: TEXT.filesHint,
  srt: TEXT.sharedHint,
  rtmp: TEXT.sharedHint
} as const

export function PortDialog({ port, returnTo, onClose }: PortDialogProps) {
  const form: Form<Values> = useForm<Values>(
    { port: portOrDefault({ default: port.default }) },
    { port: String(port.port ?? port.setting) },
    (values) => changePort(port, Number(values.port), returnTo, { isShownElsewhere: form.showsError }),
    { onSuccess: onClose, fieldOfWireName: { [`web.${port.name}-port`]: 'port', [`${port.name}.port`]: 'port' } }
  )
  return (
    <FormDialog form={form} title={t(TEXT.change, t(TEXT[port.name]))} onClose={onClose}>
      <NumberField
        {...form.field('port')}
        label={t(TEXT.port)}
        hint={t(TEXT.hint, port.default, t(HINTS[port.name]))}
        autoFocus
      />
      <p className="muted">{t(isShared(port.name) ? TEXT.proceedShared : TEXT.proceed, PORT_CONFIRM_TIME)}</p>
    </FormDialog>
  )
}
