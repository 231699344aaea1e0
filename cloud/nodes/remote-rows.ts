// The links of hubs at other nodes, by hub and by node.

export interface LinkRow {
  epoch: number
  node: string
  organisation: string
  sn: string
  instance: string
  name: string
  address: string
  /** Waits, because another hub with its key and serial number is connected. */
  isHeld: boolean
}

export class RemoteRows {
  readonly #byEpoch = new Map<number, LinkRow>()
  /** The newest first. */
  readonly #byHub = new Map<string, LinkRow[]>()
  /** Epochs by node and organisation. */
  readonly #byNode = new Map<string, Map<string, Set<number>>>()

  find(organisation: string, sn: string): readonly LinkRow[] {
    return this.#byHub.get(keyOf(organisation, sn)) ?? []
  }

  /** @returns the serial numbers of the hubs */
  add(node: string, organisation: string, links: readonly Omit<LinkRow, 'node' | 'organisation'>[]): string[] {
    for (const link of links) this.#add({ ...link, node, organisation })
    return links.map(({ sn }) => sn)
  }

  /** @returns the serial numbers of the hubs */
  remove(epochs: readonly number[]): string[] {
    return epochs.flatMap((epoch) => this.#remove(epoch) ?? [])
  }

  /** Replaces the links of one node and organisation. */
  replaceOf(node: string, organisation: string, links: readonly LinkRow[]): void {
    this.remove([...(this.#byNode.get(node)?.get(organisation) ?? [])])
    for (const link of links) this.#add(link)
  }

  /** @returns the organisations that have or had links */
  replaceAll(links: readonly LinkRow[]): Set<string> {
    const organisations = new Set([...this.#byEpoch.values()].map(({ organisation }) => organisation))
    this.#byEpoch.clear()
    this.#byHub.clear()
    this.#byNode.clear()
    for (const link of links) {
      this.#add(link)
      organisations.add(link.organisation)
    }
    return organisations
  }

  /** Removes the links of a node. */
  removeNode(node: string): void {
    for (const epochs of [...(this.#byNode.get(node)?.values() ?? [])]) this.remove([...epochs])
  }

  organisationsOf(node: string): string[] {
    return [...(this.#byNode.get(node)?.keys() ?? [])]
  }

  #add(link: LinkRow): void {
    const { epoch, node, organisation, sn } = link
    // One that was announced and read is the same.
    if (this.#byEpoch.has(epoch)) return
    this.#byEpoch.set(epoch, link)
    const key = keyOf(organisation, sn)
    const links = [...(this.#byHub.get(key) ?? []), link].sort((a, b) => b.epoch - a.epoch)
    this.#byHub.set(key, links)
    const byOrganisation = this.#byNode.get(node) ?? new Map<string, Set<number>>()
    this.#byNode.set(node, byOrganisation)
    const epochs = byOrganisation.get(organisation) ?? new Set<number>()
    byOrganisation.set(organisation, epochs.add(epoch))
  }

  #remove(epoch: number): string | undefined {
    const link = this.#byEpoch.get(epoch)
    if (!link) return undefined
    const { node, organisation, sn } = link
    this.#byEpoch.delete(epoch)
    const key = keyOf(organisation, sn)
    const links = (this.#byHub.get(key) ?? []).filter((each) => each !== link)
    if (links.length > 0) this.#byHub.set(key, links)
    else this.#byHub.delete(key)
    const byOrganisation = this.#byNode.get(node)
    const epochs = byOrganisation?.get(organisation)
    epochs?.delete(epoch)
    if (epochs?.size === 0) byOrganisation?.delete(organisation)
    if (byOrganisation?.size === 0) this.#byNode.delete(node)
    return sn
  }
}

/** Neither names of organisations nor serial numbers have a slash. */
const keyOf = (organisation: string, sn: string) => `${organisation}/${sn}`
