// Choosing a channel's input: a device of the fleet or a source that exists, a new URL, or nothing yet.
import { NAME_EXISTS } from '../../../contract/codes.ts'
import { FAMILY_NAMES } from '../../../contract/products.ts'
import { type Rule, type RuleSet, streamName } from '../../../contract/rules.ts'
import { sourceUrl } from '../../../contract/source-url.ts'
import { ChoiceField } from '../../form/choice-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import type { Bound, Form, FormOptions } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { State } from '../../ui/state.tsx'
import { Tree, type TreeNode } from '../../ui/tree.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $inputDevices, $inputs, type InputChoice } from './store.ts'
import { TEXT } from './text.ts'

export interface InputValues {
  kind: 'node' | 'url' | 'none'
  /** Node id as text; '' = none chosen. */
  node: string
  sourceName: string
  url: string
}

export const NO_INPUT: InputValues = { kind: 'node', node: '', sourceName: '', url: '' }

/** A rule that holds only for the chosen kind. */
function only(kind: InputValues['kind'], rule: (value: string) => ReturnType<Rule>): Rule<string, InputValues> {
  return (value, all) => (all.kind === kind ? rule(value) : undefined)
}

export const INPUT_RULES = {
  node: only('node', (value) => (value ? undefined : { name: 'required' })),
  sourceName: only('url', streamName),
  url: only('url', sourceUrl)
} satisfies RuleSet<InputValues>

export const INPUT_OPTIONS: FormOptions<InputValues> = {
  fields: { 'config.url': 'url' },
  codes: { [NAME_EXISTS]: 'sourceName' }
}

/** What the values mean. */
export function choiceOf({ kind, node, sourceName: name, url }: InputValues): InputChoice {
  if (kind === 'url') return { kind, name, url }
  return kind === 'node' ? { kind, id: Number(node) } : { kind }
}

export function InputFields<Values extends InputValues>({ form }: { form: Form<Values> }) {
  // The fields of a form that has more are bound alike.
  const { field, values } = form as unknown as Form<InputValues>
  return (
    <>
      <ChoiceField
        {...field('kind')}
        label={t(TEXT.input)}
        options={[
          { value: 'node', label: t(TEXT.existing) },
          { value: 'url', label: t(TEXT.url) },
          { value: 'none', label: t(TEXT.none) }
        ]}
      />
      {values.kind === 'node' && <NodeTree {...field('node')} />}
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

/** The accepted devices that can send, by family, and the sources that were entered before. */
function NodeTree({ value, fault, onValue }: Bound<string>) {
  const devices = useStore($inputDevices)
  const sources = useStore($inputs).items
  const families = [...Map.groupBy(devices.items, (device) => device.module)].sort(([a], [b]) => a - b)
  const groups: TreeNode[] = families.map(([module, members]) => ({
    id: `family-${module}`,
    label: FAMILY_NAMES[module] ?? '',
    icon: 'group',
    children: members.map((device) => ({
      id: String(device.id),
      label: device.name,
      icon: 'devices',
      end:
        device['online-date'] > 0 ? (
          <State tone="good" text={t(TEXT.online)} />
        ) : (
          <State tone="off" text={t(TEXT.offline)} />
        )
    }))
  }))
  if (sources.length > 0)
    groups.push({
      id: 'sources',
      label: t(TEXT.sources),
      icon: 'group',
      children: sources.map(({ id, name }) => ({ id: String(id), label: name, icon: 'input' }))
    })
  if (groups.length === 0) return devices.phase === 'loading' ? null : <p className="muted">{t(TEXT.noDevices)}</p>
  const open = groups.filter((group, place) => place === 0 || group.children?.some(({ id }) => id === value))
  return (
    <div className="field">
      <div className="picker" aria-invalid={fault ? true : undefined} tabIndex={fault ? -1 : undefined}>
        <Tree
          label={t(TEXT.chooseInput)}
          nodes={groups}
          selected={value}
          onSelect={(id) => Number(id) && onValue(id)}
          open={open.map(({ id }) => id)}
        />
      </div>
      {fault && (
        <small className="fault" role="alert">
          {t(TEXT.chooseInput)}
        </small>
      )}
    </div>
  )
}
