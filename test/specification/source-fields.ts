// Section 3: the fields that the forms of inputs and outputs have for each protocol.
import assert from 'node:assert/strict'
import { INPUT_FORM } from '../../src/parts/source/input-form.ts'
import { OUTPUT_FORM } from '../../src/parts/source/output-form.ts'
import { checked, type Row } from './rows.ts'

type Form = Pick<typeof INPUT_FORM | typeof OUTPUT_FORM, 'fields' | 'kinds'>

/** Fields by protocol and mode. */
const OUTPUT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  rtmp: ['url', 'key', 'username', 'password'],
  caller: ['dst-ip', 'dst-port', 'stream-id', 'latency', 'bandwidth', 'enc', 'passphrase'],
  listener: ['bind-port', 'max-client-num', 'stream-id', 'latency', 'bandwidth', 'enc', 'passphrase'],
  udp: ['dst-ip', 'dst-port'],
  rtp: ['dst-ip', 'dst-port'],
  rtsp: ['port', 'max-client-num', 'key', 'sub-key', 'username', 'password'],
  hls: ['key'],
  ndi: ['group', 'transport-mode', 'mcast-ip', 'mcast-sub-mask', 'mcast-time-to-live']
}
const INPUT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  rtmp: ['host', 'port', 'path', 'user', 'password', 'mw-buffer-duration'],
  rtmps: ['host', 'port', 'path', 'user', 'password', 'mw-buffer-duration'],
  caller: ['host', 'port', 'streamid', 'latency', 'pbkeylen', 'passphrase'],
  listener: ['port', 'streamid', 'latency', 'pbkeylen', 'passphrase'],
  udp: ['host', 'port'],
  rtp: ['host', 'port'],
  rtsp: ['host', 'port', 'path', 'user', 'password', 'mw-tcp-first', 'mw-buffer-duration'],
  http: ['host', 'port', 'path', 'user', 'password'],
  https: ['host', 'port', 'path', 'user', 'password'],
  ndi: ['name', 'url', 'mw-buffer-duration']
}

const fieldOf = ({ fields }: Form, kind: string, name: string) =>
  fields.find(({ wireName, kinds }) => wireName === name && kinds.includes(kind))

const formRows = (subject: string, form: Form, expected: typeof OUTPUT_FIELDS): Row[] => [
  checked(`${subject} is one of ${Object.keys(expected).join(', ')}.`, () =>
    assert.deepEqual([...form.kinds].sort(), Object.keys(expected).sort())
  ),
  ...Object.entries(expected).flatMap(([kind, names]) =>
    names.map((name) =>
      checked(`${subject} of the kind ${kind} has the field \`${name}\`.`, () => assert.ok(fieldOf(form, kind, name)))
    )
  )
]

/** The field accepts the limits of its range and nothing beyond. */
const rangeRow = (subject: string, form: Form, kind: string, name: string, min: number, max: number): Row =>
  checked(`The field \`${name}\` of ${subject} of the kind ${kind} is ${min} to ${max}.`, () => {
    const isValid = (value: number) => fieldOf(form, kind, name)?.rule?.(String(value), { kind }) === undefined
    assert.deepEqual([min - 1, min, max, max + 1].map(isValid), [false, true, true, false])
  })

const choiceRow = (subject: string, form: Form, kind: string, name: string, values: readonly string[]): Row =>
  checked(`The field \`${name}\` of ${subject} of the kind ${kind} is one of ${values.join(', ')}.`, () =>
    assert.deepEqual(
      fieldOf(form, kind, name)?.options?.map(([value]) => value),
      values
    )
  )

export const SOURCE_FIELD_ROWS: readonly Row[] = [
  ...formRows('An output', OUTPUT_FORM, OUTPUT_FIELDS),
  ...formRows('An input', INPUT_FORM, INPUT_FIELDS),
  rangeRow('an output', OUTPUT_FORM, 'caller', 'latency', 20, 8000),
  rangeRow('an input', INPUT_FORM, 'caller', 'latency', 20, 8000),
  rangeRow('an input', INPUT_FORM, 'rtsp', 'mw-buffer-duration', 1, 2000),
  rangeRow('an output', OUTPUT_FORM, 'listener', 'bind-port', 1, 65535),
  choiceRow('an output', OUTPUT_FORM, 'caller', 'enc', ['disable', 'aes-128', 'aes-192', 'aes-256']),
  choiceRow('an input', INPUT_FORM, 'caller', 'pbkeylen', ['0', '16', '24', '32']),
  choiceRow('an output', OUTPUT_FORM, 'ndi', 'transport-mode', ['5', '0', '1', '2', '4', '3'])
]
