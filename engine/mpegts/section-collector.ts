// Collects the packets of one PSI table until its section is complete.
import { TS_PACKET_SIZE } from './packet.ts'

/** Bytes: the longest section has 1024. */
const SECTION_MAX = 1024

interface CompleteSection {
  /** The packets that contain the section. */
  packets: Buffer
  bytes: Buffer
}

export class SectionCollector {
  readonly #tableId: number
  #packets: Buffer[] | undefined
  #bytes: Buffer = Buffer.alloc(0)

  constructor(tableId: number) {
    this.#tableId = tableId
  }

  /**
   * Adds a packet of the table's PID.
   * @param payload offset of the payload
   * @param isFirst whether the packet has the payload unit start indicator
   * @returns the section, if this packet completes it
   */
  push(packet: Buffer, payload: number, isFirst: boolean): CompleteSection | undefined {
    if (isFirst) this.#start(packet, payload)
    else this.#continue(packet, payload)
    const section = this.#packets && this.#cutSection()
    if (!section || !this.#packets) return undefined
    const packets = Buffer.concat(this.#packets)
    this.#packets = undefined
    return { packets, bytes: section }
  }

  reset(): void {
    this.#packets = undefined
  }

  #start(packet: Buffer, payload: number): void {
    const start = payload + 1 + (packet[payload] ?? 0)
    this.#packets = start < TS_PACKET_SIZE ? [Buffer.from(packet)] : undefined
    this.#bytes = Buffer.from(packet.subarray(start))
  }

  #continue(packet: Buffer, payload: number): void {
    if (!this.#packets) return
    this.#packets.push(Buffer.from(packet))
    this.#bytes = Buffer.concat([this.#bytes, packet.subarray(payload)])
    // Longer than a section can be, so its start was missed.
    if (this.#bytes.length > SECTION_MAX + TS_PACKET_SIZE) this.#packets = undefined
  }

  #cutSection(): Buffer | undefined {
    const bytes = this.#bytes
    if (bytes.length < 3 || bytes[0] !== this.#tableId) return undefined
    const length = 3 + (bytes.readUInt16BE(1) & 0xfff)
    return length >= 16 && bytes.length >= length ? bytes.subarray(0, length) : undefined
  }
}
