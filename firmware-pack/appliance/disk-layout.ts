// The disk of the appliance: a partition for GRUB, two slots with the root file system, and the data.
import { createHash } from 'node:crypto'

/** The name of this product for RAUC: a machine refuses bundles with another one. */
export const COMPATIBLE = 'headend-appliance-amd64'

const MIB = 1 << 20

export interface Partition {
  /** Its label, by which the machine finds it. */
  name: string
  /** Its type for sfdisk. */
  type: 'uefi' | 'linux' | 'root-x86-64'
  bytes: number
}

/** In the order of their numbers, from 1 on. The last one grows to the end of the disk at the first start. */
export const PARTITIONS: readonly Partition[] = [
  { name: 'ESP', type: 'uefi', bytes: 64 * MIB },
  { name: 'rootA', type: 'root-x86-64', bytes: 768 * MIB },
  { name: 'rootB', type: 'root-x86-64', bytes: 768 * MIB },
  { name: 'data', type: 'linux', bytes: 512 * MIB }
]

/** Start of the first partition, and the space after the last one for the copy of the table. */
const MARGIN = MIB

export const DISK_BYTES = PARTITIONS.reduce((sum, { bytes }) => sum + bytes, 2 * MARGIN)

/** A slot of RAUC: `A` is the partition `rootA`. */
export interface Slot {
  name: string
  /** Number of its partition. */
  partition: number
}

export const SLOTS: readonly Slot[] = PARTITIONS.flatMap(({ name }, index) =>
  name.startsWith('root') ? [{ name: name.slice('root'.length), partition: index + 1 }] : []
)

/** Offset of a partition on the disk. @throws Error when there is none with this name */
export function offsetOf(name: string): number {
  let offset = MARGIN
  for (const partition of PARTITIONS) {
    if (partition.name === name) return offset
    offset += partition.bytes
  }
  throw new Error(`No partition ${name}`)
}

/** Bytes of a partition. @throws Error as above */
export function sizeOf(name: string): number {
  const partition = PARTITIONS.find((each) => each.name === name)
  if (!partition) throw new Error(`No partition ${name}`)
  return partition.bytes
}

/** A UUID that depends on nothing but a text, so that two builds have the same. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`headend appliance ${text}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return parts.join('-')
}

/** The partition table, for sfdisk. */
export function partitionTable(): string {
  const lines = PARTITIONS.map(
    ({ name, type, bytes }) => `size=${bytes / 512}, type=${TYPES[type]}, name=${name}, uuid=${uuidOf(name)}`
  )
  return ['label: gpt', `label-id: ${uuidOf('disk')}`, `first-lba: ${MARGIN / 512}`, ...lines, ''].join('\n')
}

const TYPES: Readonly<Record<Partition['type'], string>> = {
  uefi: 'C12A7328-F81F-11D2-BA4B-00A0C93EC93B',
  linux: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
  'root-x86-64': '4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709'
}
