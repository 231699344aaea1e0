// How the streams of devices are carried between them and the hub: as the global default says, or in a way of their own.
import { configureDevices } from '../../contract/device.ts'
import type { DeviceConfig } from '../../contract/device-config.ts'
import { BUFFER_MAX, BUFFER_MIN, LATENCY_DEFAULT, LATENCY_MAX, LATENCY_MIN } from '../../contract/limits.ts'
import { numberRange } from '../../contract/number-rules.ts'
import { DIR_INPUT, DIR_OUTPUT, PROTOCOL_DEFAULT, RTMP, SRT } from '../../contract/protocols.ts'
import type { RuleSet } from '../../contract/rules.ts'
import { ChoiceField } from '../form/choice-field.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import { NumberField } from '../form/number-field.tsx'
import { SelectField } from '../form/select-field.tsx'
import { useForm } from '../form/use-form.ts'
import { send } from '../link/send.ts'
import { type Pair, t } from '../text/language.ts'
import type { DeviceDialogProps } from './device-dialogs.tsx'
import { onMany } from './many.tsx'

const TEXT = {
  title: ['Connection', '连接配置'],
  input: ['From the device', '设备到中心'],
  output: ['To the device', '中心到设备'],
  global: ['Global default', '全局默认'],
  own: ['Custom', '自定义'],
  protocol: ['Protocol', '协议'],
  standard: ['Default', '默认'],
  stream: ['Stream', '码流'],
  main: ['Main stream', '主码流'],
  sub: ['Sub stream', '子码流'],
  latency: ['Latency (ms)', '延迟（毫秒）'],
  buffer: ['Buffer in ms', '缓冲时长（毫秒）'],
  save: ['Save', '保存']
} as const satisfies Record<string, Pair>

/** All as text; the latencies may be empty. */
interface Values {
  in: 'global' | 'own'
  inProtocol: string
  stream: string
  inLatency: string
  out: 'global' | 'own'
  outProtocol: string
  outLatency: string
  buffer: string
}

const orEmpty = (rule: ReturnType<typeof numberRange>) => (value: string) => (value ? rule(value) : undefined)
const latency = orEmpty(numberRange(LATENCY_MIN, LATENCY_MAX))

const RULES: RuleSet<Values> = {
  inLatency: latency,
  outLatency: latency,
  buffer: orEmpty(numberRange(BUFFER_MIN, BUFFER_MAX))
}

const text = (value: number | undefined) => (value === undefined ? '' : String(value))

function valuesOf({ input, output }: DeviceConfig): Values {
  return {
    in: input ? 'own' : 'global',
    inProtocol: text(input?.protocol ?? PROTOCOL_DEFAULT),
    stream: text(input?.['stream-index'] ?? 0),
    inLatency: text(input?.latency),
    out: output ? 'own' : 'global',
    outProtocol: text(output?.protocol ?? PROTOCOL_DEFAULT),
    outLatency: text(output?.latency),
    buffer: text(output?.['buffer-ms'])
  }
}

const orNone = (value: string) => (value ? Number(value) : undefined)
/** Only SRT has a latency, and what is the default may be it. */
const latencyOf = (protocol: string, value: string) => (Number(protocol) === RTMP ? undefined : orNone(value))

function configOf(values: Values): DeviceConfig {
  const { inProtocol, stream, inLatency, outProtocol, outLatency, buffer } = values
  return {
    ...(values.in === 'own' && {
      input: {
        protocol: Number(inProtocol),
        'stream-index': Number(stream),
        latency: latencyOf(inProtocol, inLatency)
      }
    }),
    ...(values.out === 'own' && {
      output: {
        protocol: Number(outProtocol),
        latency: latencyOf(outProtocol, outLatency),
        'buffer-ms': orNone(buffer)
      }
    })
  }
}

/** For several devices it begins with what the first one has. */
export function ConnectionDialog({ devices, onClose }: DeviceDialogProps) {
  const form = useForm(RULES, valuesOf(devices[0]?.config ?? {}), async (values) => {
    const config = configOf(values)
    const make = (sn: string[], force: object) => send(configureDevices, { sn, config, ...force })
    onClose(await onMany({ title: t(TEXT.title), devices, make, batch: 200 }))
    return undefined
  })
  const { field, values } = form
  const some = (bit: number) => devices.some(({ dir }) => dir & bit)
  const modes = [
    { value: 'global' as const, label: t(TEXT.global) },
    { value: 'own' as const, label: t(TEXT.own) }
  ]
  const protocols = [
    { value: String(PROTOCOL_DEFAULT), label: t(TEXT.standard) },
    { value: String(SRT), label: 'SRT' },
    { value: String(RTMP), label: 'RTMP' }
  ]
  const isRtmp = (protocol: string) => protocol === String(RTMP)
  const latencyLabels = { label: t(TEXT.latency), placeholder: String(LATENCY_DEFAULT) }
  return (
    <FormDialog form={form} title={t(TEXT.title)} verb={t(TEXT.save)} onClose={() => onClose()}>
      {some(DIR_INPUT) && <ChoiceField {...field('in')} label={t(TEXT.input)} options={modes} />}
      {some(DIR_INPUT) && values.in === 'own' && (
        <div className="fields">
          <SelectField {...field('inProtocol')} label={t(TEXT.protocol)} options={protocols} />
          <SelectField
            {...field('stream')}
            label={t(TEXT.stream)}
            options={[
              { value: '0', label: t(TEXT.main) },
              { value: '1', label: t(TEXT.sub) }
            ]}
          />
          {!isRtmp(values.inProtocol) && <NumberField {...field('inLatency')} {...latencyLabels} />}
        </div>
      )}
      {some(DIR_OUTPUT) && <ChoiceField {...field('out')} label={t(TEXT.output)} options={modes} />}
      {some(DIR_OUTPUT) && values.out === 'own' && (
        <div className="fields">
          <SelectField {...field('outProtocol')} label={t(TEXT.protocol)} options={protocols} />
          {!isRtmp(values.outProtocol) && <NumberField {...field('outLatency')} {...latencyLabels} />}
          <NumberField {...field('buffer')} label={t(TEXT.buffer)} />
        </div>
      )}
    </FormDialog>
  )
}
