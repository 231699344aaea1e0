// Choosing a channel's input: a device of the fleet, a source that exists, a URL, or nothing yet.
import { NAME_EXISTS } from '../../../contract/codes.ts'
import { FAMILY_NAMES } from '../../../contract/products.ts'
import { type Rule, type RuleSet, streamName } from '../../../contract/rules.ts'
import { sourceUrl } from '../../../contract/source-url.ts'
import { ChoiceField } from '../../form/choice-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import type { Form, FormOptions } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { State } from '../../ui/state.tsx'
import { Tree, type TreeNode } from '../../ui/tree.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $inputDevices, $inputs, type InputChoice } from './store.ts'
import { TEXT } from './text.ts'

export interface InputValues {
  kind: 'device' | 'existing' | 'url' | 'none'
  /** Node id as text; '' = none chosen. */
  device: string
  existing: string
  sourceName: string
  url: string
}

export const NO_INPUT: InputValues = { kind: 'device', device: '', existing: '', sourceName: '', url: '' }

/** A rule that holds only for the chosen kind. */
function only<All extends InputValues>(
  kind: InputValues['kind'],
  rule: (value: string) => ReturnType<Rule>
): Rule<string, All> {
  return (value, all) => (all.kind === kind ? rule(value) : undefined)
}

const chosen = (value: string) => (value ? undefined : ({ name: 'required' } as const))

export const INPUT_RULES = {
  device: only('device', chosen),
  existing: only('existing', chosen),
  sourceName: only('url', streamName),
  url: only('url', sourceUrl)
} satisfies RuleSet<InputValues>

export const INPUT_OPTIONS: FormOptions<InputValues> = {
  fields: { 'config.url': 'url' },
  codes: { [NAME_EXISTS]: 'sourceName' }
}

/** What the values mean. */
export function choiceOf({ kind, device, existing, sourceName, url }: InputValues): InputChoice {
  if (kind === 'url') return { kind, name: sourceName, url }
  const id = Number(kind === 'device' ? device : kind === 'existing' ? existing : 0)
  return id ? { kind: 'node', id } : { kind: 'none' }
}

export function InputFields<Values extends InputValues>({ form }: { form: Form<Values> }) {
  // The fields of a form that has more are bound alike.
  const { field, values } = form as unknown as Form<InputValues>
  const kinds = [
    { value: 'device' as const, label: t(TEXT.device) },
    { value: 'url' as const, label: t(TEXT.url) },
    { value: 'existing' as const, label: t(TEXT.existing) },
    { value: 'none' as const, label: t(TEXT.none) }
  ]
  return (
    <>
      <ChoiceField {...field('kind')} label={t(TEXT.input)} options={kinds} />
      {values.kind === 'device' && <DeviceTree {...field('device')} />}
      {values.kind === 'existing' && <ExistingSource {...field('existing')} />}
      {values.kind === 'url' && (
        <>
          <TextField {...field('sourceName')} label={t(TEXT.sourceName)} />
          <TextField
            {...field('url')}
            label={t(TEXT.sourceUrl)}
            hint={t(TEXT.urlHint)}
            placeholder="srt://192.0.2.20:9000?mode=caller"
          />
        </>
      )}
    </>
  )
}

interface PickerProps {
  name: string
  value: string
  fault?: string
  onValue: (value: string) => void
  onLeave: () => void
}

/** The accepted devices that can send, by family. */
function DeviceTree({ value, fault, onValue }: PickerProps) {
  const { items, phase } = useStore($inputDevices)
  const families = Map.groupBy(items, (device) => device.module)
  const nodes: TreeNode[] = [...families].map(([module, devices]) => ({
    id: `family-${module}`,
    label: FAMILY_NAMES[module] ?? String(module),
    icon: 'group',
    children: devices.map((device) => ({
      id: String(device.id),
      label: device.name,
      icon: 'devices',
      end: (
        <State
          tone={device['online-date'] > 0 ? 'good' : 'off'}
          text={t(device['online-date'] > 0 ? TEXT.online : TEXT.offline)}
        />
      )
    }))
  }))
  if (items.length === 0) return phase === 'loading' ? null : <p className="muted">{t(TEXT.noDevices)}</p>
  const holder = items.find((device) => String(device.id) === value)
  return (
    <div className="field">
      <div className="picker" aria-invalid={fault ? true : undefined} tabIndex={fault ? -1 : undefined}>
        <Tree
          label={t(TEXT.chooseDevice)}
          nodes={nodes}
          selected={value}
          onSelect={(id) => /^\d+$/.test(id) && onValue(id)}
          open={holder || nodes.length < 3 ? nodes.map((node) => node.id) : [nodes[0]?.id ?? '']}
        />
      </div>
      {fault && (
        <small className="fault" role="alert">
          {t(TEXT.chooseDevice)}
        </small>
      )}
    </div>
  )
}

function ExistingSource(bound: PickerProps) {
  const { items } = useStore($inputs)
  const options = items.map((source) => ({ value: String(source.id), label: `${source.name} · ${source.config.url}` }))
  return <SelectField {...bound} label={t(TEXT.existing)} placeholder={t(TEXT.chooseInput)} options={options} />
}
