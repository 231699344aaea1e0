// Form of an input. On the wire an input is one URL: the fields are the parts and the options of that URL.
import { LATENCY_DEFAULT, PROGRAM_MAX } from '../../../contract/limits.ts'
import { ipAddress, networkInterface } from '../../../contract/rules/network.ts'
import { bufferDuration, numberRange } from '../../../contract/rules/number.ts'
import {
  host,
  latency,
  optional,
  passphrase,
  port,
  required,
  streamId,
  streamName
} from '../../../contract/rules/rules.ts'
import { type AddInputRequest, addInput, type InputSource, setInput } from '../../../contract/stream/source.ts'
import { certificateFields } from './certificate-fields.ts'
import { FIELD_TEXT } from './field-text.ts'
import { BUFFER, formatUrl, parseUrl, TCP_FIRST } from './input-url.ts'
import { NDI_FIELDS } from './ndi-fields.ts'
import { parsePastedInput } from './pasted-url.ts'
import {
  filledValues,
  LOGIN_KINDS,
  type SourceField,
  type SourceForm,
  type SourceValues,
  SRT_ID_KINDS,
  SRT_KINDS,
  UDP_KINDS
} from './source-form.ts'

/** Key length of an SRT input without encryption. */
const NOT_ENCRYPTED = '0'

const INPUT_FIELDS: readonly SourceField[] = [
  {
    wireName: 'host',
    title: FIELD_TEXT.address,
    hint: FIELD_TEXT.pasted,
    kinds: ['caller', 'rendezvous', ...LOGIN_KINDS],
    rule: host
  },
  { wireName: 'host', title: FIELD_TEXT.address, hint: FIELD_TEXT.pasted, kinds: UDP_KINDS, rule: optional(host) },
  { wireName: 'port', title: FIELD_TEXT.port, kinds: [...SRT_KINDS, ...UDP_KINDS], rule: port, numeric: true },
  { wireName: 'port', title: FIELD_TEXT.port, kinds: LOGIN_KINDS, rule: optional(port), numeric: true },
  {
    wireName: 'localport',
    title: FIELD_TEXT.localPort,
    hint: FIELD_TEXT.localPortHint,
    kinds: ['rendezvous'],
    rule: optional(port),
    numeric: true
  },
  { wireName: 'path', title: FIELD_TEXT.path, kinds: LOGIN_KINDS },
  { wireName: 'user', title: FIELD_TEXT.user, kinds: LOGIN_KINDS },
  { wireName: 'password', title: FIELD_TEXT.password, kinds: LOGIN_KINDS, secret: true },
  {
    wireName: TCP_FIRST,
    title: FIELD_TEXT.transport,
    kinds: ['rtsp'],
    options: [
      ['', 'UDP'],
      ['1', FIELD_TEXT.tcpFirst]
    ]
  },
  { wireName: 'iface', title: FIELD_TEXT.iface, kinds: UDP_KINDS, rule: optional(networkInterface) },
  { wireName: 'source', title: FIELD_TEXT.sender, kinds: UDP_KINDS, rule: optional(ipAddress) },
  { wireName: 'streamid', title: FIELD_TEXT.streamId, kinds: SRT_ID_KINDS, rule: streamId },
  {
    wireName: 'latency',
    title: FIELD_TEXT.latency,
    kinds: SRT_KINDS,
    rule: latency,
    numeric: true,
    initial: LATENCY_DEFAULT
  },
  {
    wireName: 'pbkeylen',
    title: FIELD_TEXT.encryption,
    kinds: SRT_KINDS,
    initial: NOT_ENCRYPTED,
    options: [
      [NOT_ENCRYPTED, FIELD_TEXT.disabled],
      ...[16, 24, 32].map((bytes) => [String(bytes), `AES-${bytes * 8}`] as const)
    ]
  },
  {
    wireName: 'passphrase',
    title: FIELD_TEXT.passphrase,
    kinds: SRT_KINDS,
    isOffered: ({ pbkeylen }) => pbkeylen !== NOT_ENCRYPTED,
    rule: (value) => required(value) ?? passphrase(value),
    secret: true
  },
  ...NDI_FIELDS,
  {
    wireName: BUFFER,
    title: FIELD_TEXT.buffer,
    // MPEG-TS of the other kinds passes unchanged: there is no buffer that the hub could set.
    kinds: ['rtmp', 'rtmps', 'rtsp'],
    rule: optional(bufferDuration),
    numeric: true
  }
]

/** Not an option of the URL. */
const PROGRAM_FIELD: SourceField = {
  wireName: 'program',
  title: FIELD_TEXT.program,
  hint: FIELD_TEXT.programHint,
  kinds: [...SRT_KINDS, ...UDP_KINDS],
  rule: optional(numberRange(1, PROGRAM_MAX)),
  numeric: true
}

/** Not options of the URL. A server over HTTP can redirect to one over HTTPS. */
const CERTIFICATE_FIELDS = certificateFields(['rtmps', 'https', 'http'])

export const INPUT_FORM: SourceForm<InputSource, AddInputRequest> = {
  route: 'inputs',
  kinds: [...SRT_KINDS, ...UDP_KINDS, ...LOGIN_KINDS, 'ndi'],
  fields: [...INPUT_FIELDS, PROGRAM_FIELD, ...CERTIFICATE_FIELDS],
  addLabel: ['Add input', '添加输入'],
  valuesOf: ({ config: { type: _, url, program = '', ...certificates } }) => ({
    ...parseUrl(url),
    program: String(program),
    ...(certificates as SourceValues)
  }),
  requestOf(values) {
    const url = formatUrl(values.kind as string, filledValues(INPUT_FIELDS, values, String))
    const { program } = filledValues([PROGRAM_FIELD], values, Number)
    const certificates = filledValues(CERTIFICATE_FIELDS, values, String)
    return { name: values.title as string, config: { type: 1, url, ...(program && { program }), ...certificates } }
  },
  nameRule: streamName,
  parsePasted: (text) => parsePastedInput(text, INPUT_FORM.kinds),
  add: addInput,
  set: setInput
}
