import { useEffect, useId, useState } from 'react'
import { CLIENT_NOT_EXIST, NOT_PERMITTED, PORT_OCCUPIED, WRONG_STATE } from '../../../contract/codes.ts'
import type { Device } from '../../../contract/device.ts'
import { shownSerial } from '../../../contract/products.ts'
import { port, type RuleSet, required } from '../../../contract/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { devicesWith, forward } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  sn: string
  local: string
  remote: string
}

const RULES: RuleSet<Values> = {
  sn: required,
  local: (value) => (value ? port(value) : undefined),
  remote: (value) => required(value) ?? port(value)
}

/** Of what the hub refuses, what is about a field. */
const OPTIONS = {
  fields: { 'local-port': 'local', 'remote-port': 'remote' },
  codes: { [PORT_OCCUPIED]: 'local', [NOT_PERMITTED]: 'local', [CLIENT_NOT_EXIST]: 'sn', [WRONG_STATE]: 'sn' }
} as const

/** Milliseconds after the last letter. */
const PROPOSE_AFTER = 200

/** @param sn the device to begin with; may be empty */
export function StartDialog({ sn, onClose }: { sn: string; onClose: () => void }) {
  const form: Form<Values> = useForm<Values>(
    RULES,
    { sn, local: '', remote: '' },
    (values) =>
      forward(
        { sn: values.sn.trim(), 'local-port': Number(values.local), 'remote-port': Number(values.remote) },
        (answer) => form.takes(answer)
      ),
    { ...OPTIONS, done: onClose }
  )
  const [devices, setDevices] = useState<readonly Device[]>([])
  const list = useId()
  const typed = form.values.sn
  useEffect(() => {
    let current = true
    const timer = setTimeout(
      () => void devicesWith(typed.trim()).then((found) => current && setDevices(found)),
      PROPOSE_AFTER
    )
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [typed])
  const chosen = devices.find((device) => device.sn === typed)
  return (
    <FormDialog form={form} title={t(TEXT.start)} verb={t(TEXT.startVerb)} onClose={onClose}>
      <TextField
        {...form.field('sn')}
        label={t(TEXT.device)}
        hint={chosen?.name ?? t(TEXT.deviceHint)}
        list={list}
        autoFocus={!sn}
      />
      <datalist id={list}>
        {devices.map((device) => (
          <option key={device.sn} value={device.sn}>
            {t(TEXT.found, device.name, shownSerial(device.sn, device.module))}
          </option>
        ))}
      </datalist>
      <div className="fields">
        <NumberField {...form.field('remote')} label={t(TEXT.remote)} hint={t(TEXT.remoteHint)} autoFocus={sn !== ''} />
        <NumberField {...form.field('local')} label={t(TEXT.local)} hint={t(TEXT.localHint)} />
      </div>
      <p className="banner">{t(TEXT.warning)}</p>
    </FormDialog>
  )
}
