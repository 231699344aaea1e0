// A channel file lists the releases of the hub, or of a device family, that can be downloaded. It is JSON on a static
// web server, and its Ed25519 signature lies beside it, in a file with `.sig` after the name. Who controls the server,
// or the way to it, can neither change the list nor offer an old one: it has a number that rises, and it expires.
import { type KeyObject, sign } from 'node:crypto'
import * as z from 'zod'
import { openSigned, type SignatureFault, type Signer, signedBy } from './signature.ts'

/** Kinds of releases: each has a channel file of its own. */
export const RELEASE_CHANNELS = ['stable', 'pre-release'] as const
export type ReleaseChannel = (typeof RELEASE_CHANNELS)[number]

/** Name of the channel files with releases of the hub. Those of a device family have the name of the family. */
export const HUB_CHANNEL_NAME = 'headend'

const FORMAT = 1
/** Bytes of a channel file, and of its signature. */
export const CHANNEL_FILE_MAX = 1 << 20
export const CHANNEL_SIGNATURE_SIZE = 64
export const RELEASES_MAX = 100
/** Characters of the notes of a release in one language. */
export const NOTES_MAX = 8000
/** Bytes of a file that a channel file names. */
export const RELEASE_FILE_MAX = 2 ** 31

const time = z.iso.datetime()
const notes = z.string().max(NOTES_MAX)

/** A path of plain names below the folder of the channel file. */
const relativePath = z
  .string()
  .max(200)
  .regex(/^[\w~+-][\w.~+-]*(\/[\w~+-][\w.~+-]*)*$/)

export const ChannelRelease = z.object({
  version: z.string().regex(/^\d[\w.~+-]{0,63}$/),
  time,
  'pre-release': z.literal(true).optional(),
  /** Of the hub: as `process.arch`. `all`: an update of the console alone. */
  architecture: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/)
    .optional(),
  /** Of a device: name of the model, and letter of the hardware version. */
  model: z.string().min(1).max(64).optional(),
  hardware: z
    .string()
    .regex(/^[A-Z]$/)
    .optional(),
  file: relativePath,
  size: z.int().min(1).max(RELEASE_FILE_MAX),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  notes: z.object({ en: notes, zh: notes })
})

/** Content of a channel file. */
export const ChannelFile = z.object({
  format: z.literal(FORMAT),
  name: z.string().regex(/^[a-z0-9]+([-_][a-z0-9]+)*$/),
  channel: z.enum(RELEASE_CHANNELS),
  /** Rises with each publication. */
  number: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  time,
  /** The file is not accepted after this time. */
  expires: time,
  development: z.literal(true).optional(),
  key: z.string(),
  releases: z.array(ChannelRelease).max(RELEASES_MAX)
})

export type ChannelRelease = z.infer<typeof ChannelRelease>
export type ChannelFile = z.infer<typeof ChannelFile>
type ChannelContent = Omit<ChannelFile, 'format' | 'development' | 'key'>

export type ChannelFault =
  | 'wrong-key'
  | 'development'
  | 'tampered'
  /** Its content is not that of a channel file of this format, or is too long. */
  | 'format'
  /** It is the file of another name or channel. */
  | 'wrong-name'
  | 'expired'
  /** Its number is lower than that of a file that was accepted before. */
  | 'rolled-back'

/** A channel file is not accepted. */
export class ChannelFileError extends Error {
  readonly fault: ChannelFault
  constructor(fault: ChannelFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** Name of a channel file; its signature has `.sig` after it. */
export const channelFileName = (name: string, channel: ReleaseChannel) => `${name}-${channel}.json`

export interface SignedChannelFile {
  text: Buffer
  signature: Buffer
}

/**
 * Creates a channel file and its signature.
 * @throws ChannelFileError if `readChannelFile` would refuse it
 */
export function createChannelFile(content: ChannelContent, signer: Signer): SignedChannelFile {
  const { releases, ...head } = content
  const file: ChannelFile = { format: FORMAT, ...head, ...signedBy(signer), releases }
  const text = Buffer.from(`${JSON.stringify(parseContent(file), undefined, 2)}\n`)
  if (text.length > CHANNEL_FILE_MAX) throw tooLong(text)
  return { text, signature: sign(undefined, text, signer.key) }
}

interface ReadOptions {
  trusted: readonly KeyObject[]
  /** The file that was asked for. */
  name: string
  channel: ReleaseChannel
  /** Milliseconds since the epoch. */
  now: number
  /** Number of the last accepted file of this name and channel; 0 = none. */
  lastNumber: number
}

/**
 * Verifies and parses a channel file. Its signature is verified before anything of it is parsed.
 * @throws ChannelFileError
 */
export function readChannelFile({ text, signature }: SignedChannelFile, options: ReadOptions): ChannelFile {
  const { trusted, name, channel, now, lastNumber } = options
  if (text.length > CHANNEL_FILE_MAX) throw tooLong(text)
  const opened = openSigned(text, signature, trusted)
  if ('fault' in opened) throw new ChannelFileError(opened.fault, explainFault(opened))
  const file = parseContent(opened.content)
  if (file.name !== name || file.channel !== channel)
    throw new ChannelFileError('wrong-name', `It is the file ${channelFileName(file.name, file.channel)}.`)
  if (Date.parse(file.expires) <= now) throw new ChannelFileError('expired', `It has expired on ${file.expires}.`)
  if (file.number < lastNumber)
    throw new ChannelFileError('rolled-back', `Its number is ${file.number}; number ${lastNumber} was known before.`)
  return file
}

function parseContent(content: unknown): ChannelFile {
  const { data, error } = ChannelFile.safeParse(content)
  if (data) return data
  const { path = [], message } = error.issues[0] ?? {}
  throw new ChannelFileError('format', `${path.map(String).join('.')}: ${message}`)
}

const tooLong = ({ length }: Buffer) =>
  new ChannelFileError('format', `It has ${length} bytes; the limit is ${CHANNEL_FILE_MAX}.`)

function explainFault({ fault, key }: SignatureFault): string {
  if (fault === 'tampered') return 'It was changed after it was signed, or does not name its key.'
  return `It is signed with ${fault === 'development' ? 'the development key' : `the key ${key}`}, which is not trusted.`
}
