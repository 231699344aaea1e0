// Choosing a channel's input: a device of the fleet or a source that exists, a new URL, or nothing yet.
import { FAMILY_NAMES } from '../../../contract/products.ts'
import { NDI, PROTOCOL_NAMES } from '../../../contract/protocols.ts'
import { type Rule, type RuleSet, sourceForm, streamName } from '../../../contract/rules.ts'
import { ChoiceField } from '../../form/choice-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import type { Bound, Form, FormOptions } from '../../form/use-form.ts'
import { locale, t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { $inputDevices, $inputs, type InputValues } from './store.ts'
import { TEXT } from './text.ts'

export const NO_INPUT: InputValues = { kind: 'node', node: '', sourceName: '', url: '' }

/** A rule that holds only for the chosen kind. */
function only(kind: InputValues['kind'], rule: (value: string) => ReturnType<Rule>): Rule<string, InputValues> {
  return (value, all) => (all.kind === kind ? rule(value) : undefined)
}

export const INPUT_RULES = {
  node: only('node', (value) => (value ? undefined : { name: 'required' })),
  sourceName: only('url', streamName),
  url: only('url', sourceForm)
} satisfies RuleSet<InputValues>

export const INPUT_OPTIONS: FormOptions<InputValues> = {
  fields: { 'config.url': 'url', source: 'sourceName' }
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
      {values.kind === 'node' && <NodeField {...field('node')} />}
      {values.kind === 'url' && (
        <>
          <TextField {...field('sourceName')} label={t(TEXT.sourceName)} />
          <TextField {...field('url')} label={t(TEXT.url)} hint="rtmp, srt, udp, rtp, rtsp, http(s)" />
        </>
      )}
    </>
  )
}

/** The accepted devices that can send, by family, and the sources that were entered before. */
function NodeField(bound: Bound<string>) {
  const devices = useStore($inputDevices)
  const sources = useStore($inputs).items
  const options = [
    ...devices.items.map((device) => ({
      value: String(device.id),
      label: `${FAMILY_NAMES[device.module]} · ${device.name}${device['online-date'] > 0 ? '' : ` (${t(TEXT.offline)})`}`
    })),
    ...sources
      // NDI is kept, not carried.
      .filter(({ protocol }) => protocol !== NDI)
      .map(({ id, name, protocol }) => ({ value: String(id), label: `${PROTOCOL_NAMES[protocol]} · ${name}` }))
  ]
  const none = options.length === 0 && devices.phase === 'ready'
  return (
    <SelectField
      {...bound}
      label={t(TEXT.existing)}
      placeholder="–"
      hint={none ? t(TEXT.noneFound) : undefined}
      options={options.sort((a, b) => a.label.localeCompare(b.label, locale()))}
    />
  )
}
