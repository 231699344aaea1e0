// The destinations of a new channel: what the form asks for each, and the output that it makes.
import { optional, port } from '../../../contract/rules/rules.ts'
import type { OutputPreset } from '../../../contract/stream/preset.ts'
import type { AddOutputRequest } from '../../../contract/stream/source.ts'
import { OUTPUT_FORM } from '../../parts/source/output-form.ts'
import { keyFieldsOf, presetValues } from '../../parts/source/preset-field.tsx'
import { SERVICES } from '../../parts/source/services.ts'
import { type SourceField, type SourceValues, visibleFields } from '../../parts/source/source-form.ts'
import type { Translation } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'

/** Value of the destination that is a device which plays the channel. */
export const DECODER = 'decoder'

export interface Destination {
  /** A kind of output, the id of a service or of a stored preset, `DECODER`, or empty for none. */
  id: string
  icon: IconName
  /** A name, or a text of the console. */
  label: string | Translation
}

const NONE: Translation = ['None yet', '暂不设置']
const PLAYERS: Translation = ['SRT players', 'SRT 播放端']
const ADDRESS: Translation = ['SRT address', 'SRT 地址']
const TO_DECODER: Translation = ['Decoder', '解码器']

/** Fields that the form asks for. The others keep their initial values, and can be changed in the output. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  listener: ['bind-port'],
  caller: ['dst-ip', 'dst-port'],
  rtmp: ['url', 'key'],
  udp: ['dst-ip', 'dst-port']
}

export const destinationsWith = (presets: readonly OutputPreset[]): readonly Destination[] => [
  { id: 'listener', icon: 'port', label: PLAYERS },
  ...SERVICES.map(({ id, name }): Destination => ({ id, icon: 'live', label: name })),
  { id: 'rtmp', icon: 'output', label: 'RTMP' },
  { id: 'caller', icon: 'forward', label: ADDRESS },
  { id: 'udp', icon: 'wireless', label: 'UDP' },
  { id: 'hls', icon: 'screen', label: 'HLS' },
  { id: DECODER, icon: 'devices', label: TO_DECODER },
  ...presets.map(({ id, name }): Destination => ({ id: String(id), icon: 'star', label: name })),
  { id: '', icon: 'close', label: NONE }
]

/** Values of the form when nothing was entered. */
export const INITIAL_VALUES: SourceValues = Object.fromEntries(
  OUTPUT_FORM.fields.map(({ wireName, initial = '' }) => [wireName, String(initial)])
)

/** The values with which a destination fills the form. `suffix` is what the name of the output ends with. */
export function destinationValues(destination: string, presets: readonly OutputPreset[]): SourceValues {
  const kind = OUTPUT_FORM.kinds.includes(destination) ? destination : ''
  const isSrt = kind === 'listener' || kind === 'caller'
  const { title = '', preset: _, ...values } = presetValues(destination, presets)
  return {
    ...INITIAL_VALUES,
    kind,
    suffix: kind ? (isSrt ? 'SRT' : kind.toUpperCase()) : title,
    ...values,
    destination
  }
}

/** The fields that the form shows. Of a service and of a stored preset it asks for the keys only. */
export function destinationFields(values: SourceValues): readonly SourceField[] {
  const { kind = '', destination = '' } = values
  const keys = destination === kind ? undefined : keyFieldsOf({ preset: destination, kind })
  const isAsked = destination === kind || kind === 'listener'
  const wireNames = keys ?? (isAsked ? FIELDS[kind] : undefined) ?? []
  return visibleFields(OUTPUT_FORM.fields, values).filter(({ wireName }) => wireNames.includes(wireName))
}

/** The rules of all fields, which check those that the form shows. An SRT port may be left empty: then no output. */
export const destinationRules = Object.fromEntries(
  OUTPUT_FORM.fields.map(({ wireName }) => [
    wireName,
    (value: string, all: SourceValues) => {
      const field = destinationFields(all).find((each) => each.wireName === wireName)
      return field && (wireName === 'bind-port' ? optional(port)(value) : field.rule?.(value, all))
    }
  ])
)

/** The output that the values describe; undefined if the destination is none, a decoder, or without its port. */
export function outputOf(values: SourceValues): AddOutputRequest | undefined {
  const { name, kind, suffix } = values
  if (!kind || (kind === 'listener' && !values['bind-port'])) return undefined
  return OUTPUT_FORM.requestOf({ ...values, title: `${name} ${suffix}` })
}
