// The source of a new channel: a tile for each kind, and what can be chosen of that kind.
import { required } from '../../../contract/rules/rules.ts'
import type { Form } from '../../form/use-form.ts'
import { LivePreview } from '../../parts/device/device-facts.tsx'
import type { SourceValues } from '../../parts/source/source-form.ts'
import { $inputDevices } from '../../state/channel-devices.ts'
import { type Translation, t } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { sortByName } from '../../ui/table/sorting.ts'
import { useStore } from '../../ui/use-store.ts'
import { INPUT_KIND_NAMES, TEXT } from './dialog-text.ts'
import { InputField, type InputKind } from './input-field.tsx'

/** `encoder`: none; an encoder sends to the channel. */
type SourceKind = InputKind | 'encoder'

const KINDS: readonly { value: SourceKind; icon: IconName; label: Translation }[] = [
  { value: 'device', icon: 'devices', label: INPUT_KIND_NAMES.device },
  { value: 'ndi', icon: 'network', label: INPUT_KIND_NAMES.ndi },
  { value: 'address', icon: 'input', label: INPUT_KIND_NAMES.address },
  { value: 'encoder', icon: 'pending', label: TEXT.waits }
]

/** Devices that are offered with their pictures; the list below has all. */
const PICTURES = 6

const onlineDevices = () => $inputDevices.get().items.filter((device) => device['online-date'] > 0)

/** The chosen kind. Until the user chooses one: a device if one is online. */
const kindOf = ({ source }: SourceValues) =>
  (source || (onlineDevices().length > 0 ? 'device' : 'encoder')) as SourceKind

/** The rule of the input: every kind but the encoder needs one. */
export const sourceRule = (value: string, values: SourceValues) =>
  kindOf(values) === 'encoder' ? undefined : required(value)

interface FormProps {
  form: Form<SourceValues>
}

export function SourcePicker({ form }: FormProps) {
  useStore($inputDevices)
  const chosen = kindOf(form.values)
  return (
    <section className="flow">
      <h3>{t(TEXT.source)}</h3>
      <SegmentedControl
        wraps
        label={t(TEXT.source)}
        value={chosen}
        options={KINDS.map(({ label, ...kind }) => ({ ...kind, label: t(label) }))}
        onChange={(source) => form.setValues({ source, node: '' })}
      />
      {chosen === 'device' && <DevicePictures form={form} />}
      {chosen === 'encoder' ? (
        <p className="muted">{t(TEXT.waitsHint)}</p>
      ) : (
        <InputField {...form.field('node')} kind={chosen} />
      )}
    </section>
  )
}

/** The first devices that are online, with their pictures: those that no channel uses come first. */
function DevicePictures({ form }: FormProps) {
  const { value, onValueChange } = form.field('node')
  const [free, used] = [false, true].map((isUsed) =>
    sortByName(onlineDevices().filter((device) => Boolean(device['owner-i']?.length) === isUsed))
  )
  const devices = [...(free ?? []), ...(used ?? [])].slice(0, PICTURES)
  if (devices.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid
    <div className="picks" role="group" aria-label={t(INPUT_KIND_NAMES.device)}>
      {devices.map((device) => {
        const id = String(device.id)
        return (
          <button
            key={id}
            type="button"
            className="button"
            aria-pressed={value === id}
            onClick={() => onValueChange(value === id ? '' : id)}
          >
            <LivePreview device={device} />
            <span className="cut">{device.name}</span>
          </button>
        )
      })}
    </div>
  )
}
