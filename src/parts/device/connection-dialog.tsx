// Edits the protocol of the streams between devices and the hub: the global default, or settings of the devices
// themselves.
import type { DeviceConfig } from '../../../contract/device/config.ts'
import { configureDevices } from '../../../contract/device/device.ts'
import { LATENCY_DEFAULT } from '../../../contract/limits.ts'
import { bufferDuration } from '../../../contract/rules/number.ts'
import { latency, optional, type RuleSet } from '../../../contract/rules/rules.ts'
import { DIR_INPUT, DIR_OUTPUT, PROTOCOL_DEFAULT, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { NumberField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { runBulk } from '../bulk-action.ts'
import { CONNECTION_TEXT as TEXT } from './connection-lines.ts'
import type { DeviceDialogProps } from './device-dialogs.tsx'

/**
 * All values are text. An empty protocol stands for the global default; an empty buffer for the buffer of the device.
 */
interface Values {
  input: string
  stream: string
  inputLatency: string
  output: string
  outputLatency: string
  buffer: string
}

const RULES: RuleSet<Values> = { inputLatency: latency, outputLatency: latency, buffer: optional(bufferDuration) }

const text = (value: number | undefined) => String(value ?? '')

const valuesOf = ({ input, output }: DeviceConfig): Values => ({
  input: text(input?.protocol),
  stream: text(input?.['stream-index'] ?? 0),
  inputLatency: text(input?.latency ?? LATENCY_DEFAULT),
  output: text(output?.protocol),
  outputLatency: text(output?.latency ?? LATENCY_DEFAULT),
  buffer: text(output?.['buffer-ms'])
})

const isRtmp = (protocol: string) => Number(protocol) === RTMP

const configOf = ({ input, stream, inputLatency, output, outputLatency, buffer }: Values): DeviceConfig => ({
  input: input
    ? {
        protocol: Number(input),
        'stream-index': Number(stream),
        latency: isRtmp(input) ? undefined : Number(inputLatency)
      }
    : undefined,
  output: output
    ? {
        protocol: Number(output),
        latency: isRtmp(output) ? undefined : Number(outputLatency),
        'buffer-ms': buffer ? Number(buffer) : undefined
      }
    : undefined
})

/** For several devices, the form starts with the settings of the first one. */
export function ConnectionDialog({ devices, onClose }: DeviceDialogProps) {
  const initialValues = valuesOf(devices[0]?.config ?? {})
  const form = useForm(RULES, initialValues, async (values) => {
    const config = configOf(values)
    const sendBatch = (sn: string[], force: object) => send(configureDevices, { sn, config, ...force })
    onClose(await runBulk({ title: t(TEXT.title), devices, outcome: OUTCOME.saved, sendBatch }))
    return undefined
  })
  const { field, values } = form
  const hasDirection = (bit: number) => devices.some(({ dir }) => dir & bit)
  const protocols = [
    { value: '', label: t(TEXT.global) },
    { value: String(PROTOCOL_DEFAULT), label: t(TEXT.defaultProtocol) },
    { value: String(SRT), label: 'SRT' }
  ]
  const withRtmp = [...protocols, { value: String(RTMP), label: 'RTMP' }]
  // This hub sends to devices over SRT. A device with RTMP from another hub keeps it until it is changed.
  const outputProtocols = isRtmp(initialValues.output) ? withRtmp : protocols
  return (
    <FormDialog form={form} title={t(TEXT.title)} onClose={onClose}>
      {hasDirection(DIR_INPUT) && (
        <div className="fields">
          <SelectField {...field('input')} label={t(TEXT.input)} options={withRtmp} />
          {values.input && (
            <>
              <SelectField
                {...field('stream')}
                label={t(TEXT.stream)}
                options={[
                  { value: '0', label: t(TEXT.main) },
                  { value: '1', label: t(TEXT.sub) }
                ]}
              />
              {!isRtmp(values.input) && <NumberField {...field('inputLatency')} label={t(TEXT.latency)} />}
            </>
          )}
        </div>
      )}
      {hasDirection(DIR_OUTPUT) && (
        <div className="fields">
          <SelectField {...field('output')} label={t(TEXT.output)} options={outputProtocols} />
          {values.output && (
            <>
              {!isRtmp(values.output) && <NumberField {...field('outputLatency')} label={t(TEXT.latency)} />}
              <NumberField {...field('buffer')} label={t(TEXT.buffer)} />
            </>
          )}
        </div>
      )}
    </FormDialog>
  )
}
