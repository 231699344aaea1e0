// Looks for devices in the network of the hub, and adds what it finds.
import { addDevice } from '../../../contract/device/address.ts'
import { type Discovered, listDiscovered, startDiscovery } from '../../../contract/device/discovery.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { sendMutation } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { usePlaceholder } from '../load-state.tsx'
import { AddressDialog } from './address-dialog.tsx'

const TEXT = {
  find: ['Find devices', '查找设备'],
  interface: ['Network interface', '网络接口'],
  range: ['Address range (optional)', '地址范围（可选）'],
  none: ['Nothing found', '未找到'],
  running: ['Searching…', '正在查找…'],
  add: ['Add', '添加']
} as const satisfies Record<string, Translation>

const $discovered = createLiveValue({ call: listDiscovered, pace: 'fast' })

const nameOf = ({ name, model, address }: Discovered) => name ?? model ?? address

/** Adds an NDI source as an input, a server without login at once; for others, asks for the login. */
function add(found: Discovered): void {
  const { kind, address, port, https, name = '' } = found
  const success = { success: { text: OUTCOME.added, names: [nameOf(found)] } }
  if (kind === 'ndi') void sendMutation(addInput, { name, config: { type: 1, url: found.url ?? '' } }, success)
  else if (kind === 'server') void sendMutation(addDevice, { address, port, https }, success)
  else openDialog(AddressDialog, { found })
}

export function DiscoverDialog({ onClose }: { onClose: () => void }) {
  const { value } = useStore($discovered)
  const { interfaces = [], interface: searched, list = [], running = false } = value ?? {}
  const [first] = interfaces
  const form = useForm({}, { interface: '', range: '' }, (values, options) =>
    sendMutation(
      startDiscovery,
      { interface: values.interface || (first?.name ?? ''), range: values.range || undefined },
      { ...options, success: { text: TEXT.running } }
    )
  )
  const placeholder = usePlaceholder($discovered, list.length === 0, searched && !running && <p>{t(TEXT.none)}</p>)
  return (
    <FormDialog form={form} submitLabel={t(TEXT.find)} onClose={onClose}>
      <div className="fields">
        <SelectField
          {...form.field('interface')}
          label={t(TEXT.interface)}
          options={interfaces.map(({ name, address }, index) => ({
            value: index > 0 ? name : '',
            label: `${name} ${address}`
          }))}
        />
        <TextField {...form.field('range')} label={t(TEXT.range)} placeholder="192.0.2.1-192.0.2.99" />
      </div>
      {running && <p>{t(TEXT.running)}</p>}
      {placeholder ?? (
        <ul className="stack" aria-busy={running}>
          {list.map((found) => (
            <li key={`${found.address}:${found.port} ${found.name}`} className="row">
              {found.picture && <img src={found.picture} alt="" width={48} />}
              <span>
                {nameOf(found)}
                <small className="muted">
                  {' '}
                  {[found.model, found.serial, found.address]
                    .filter((fact) => fact && fact !== nameOf(found))
                    .join(' · ')}
                </small>
              </span>
              <span className="push" />
              {(found.kind !== 'other' || found.sn) && (
                <CallButton
                  call={found.kind === 'ndi' ? addInput : addDevice}
                  label={t(TEXT.add)}
                  disabledReason={found.sn && t(OUTCOME.added, nameOf(found))}
                  onClick={() => add(found)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}
