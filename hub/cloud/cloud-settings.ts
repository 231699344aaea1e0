// The stored registration of the hub with a cloud. Key and invitation are stored encrypted, and in no export.
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Invitation, parseInvitation } from '../../contract/cloud/link.ts'
import { CloudSettingsRequest } from '../../contract/cloud-registration.schema.ts'
import { LINK_PORT } from '../../contract/limits.ts'
import type { StoredFarewell } from '../store/settings.ts'
import type { Store } from '../store/store.ts'
import type { KnownCloud } from './verify-cloud.ts'

/** Owner of the secrets, and of nothing else (`encryption.ts`). */
const SECRETS_OWNER = 'cloud'
/** Clouds that the hub has left and that are not told yet. */
const FAREWELLS_MAX = 4

export interface CloudSecrets {
  /** Key of the hub (`HubHello`). It is for one cloud: another one could pretend to be this hub with it. */
  key: string
  /** Secret part of the invitation. */
  code: string
}

/** A cloud in the environment of the hub. */
export interface CloudOption {
  /** Name or address, and the port if it is not 8070. */
  address: string
  invitation?: string | undefined
  /** False: without TLS. */
  ssl?: boolean | undefined
}

/** @returns undefined if the text is not like `cloud.example.com:8070` or `[::1]`, which has the port of links */
export function parseAddress(address: string): { host: string; port: number } | undefined {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(address) ?? []
  return host === undefined ? undefined : { host, port: port ? Number(port) : LINK_PORT }
}

/** @throws Error if it is not valid */
export function parseCloudOption({ address, invitation, ssl }: CloudOption): CloudSettingsRequest {
  const { host = '', port } = parseAddress(address) ?? {}
  const request = {
    ...{ enable: true, host, port },
    ...(invitation && { invitation }),
    ...(ssl !== undefined && { ssl })
  }
  const { data, error } = CloudSettingsRequest.safeParse(request)
  if (data) return data
  const isInvitation = error.issues[0]?.path[0] === 'invitation'
  // The invitation is a secret.
  throw new Error(
    isInvitation
      ? 'INVITATION is not one of a cloud'
      : `CLOUD: ${address} is not an address like cloud.example.com:8070`
  )
}

export class CloudSettings {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  get stored() {
    return this.#store.settings.get('cloud')
  }

  /** Serial number of the hub; empty: it is registered with no cloud. */
  get serial(): string {
    return this.#store.settings.get('cloud-serial')
  }

  /** @returns undefined if there are none, or they cannot be read, because the key file of the hub is another one */
  secrets(): CloudSecrets | undefined {
    return this.#decrypt(this.stored.secrets)
  }

  /** The clouds that are not told yet that the hub has left them. */
  get farewells(): readonly StoredFarewell[] {
    return this.#store.settings.get('cloud-farewells')
  }

  /** The secrets with which the hub was registered with a cloud that it has left. */
  secretsOf({ secrets }: StoredFarewell): CloudSecrets | undefined {
    return this.#decrypt(secrets)
  }

  removeFarewell({ secrets }: StoredFarewell): void {
    const { database, settings } = this.#store
    const left = this.farewells.filter((each) => each.secrets !== secrets)
    database.transactionOrLater(() => settings.set('cloud-farewells', left))
  }

  /** What the hub knows of the signing key of the cloud. */
  get known(): KnownCloud {
    const { 'signing-key': key, fingerprint } = this.stored
    return { key, fingerprint }
  }

  /** Accepts only this signing key of the cloud from now on, or a successor that it has signed. */
  pin(key: string): void {
    const { database, settings } = this.#store
    if (key !== '' && key !== this.stored['signing-key'])
      database.transactionOrLater(() => settings.set('cloud', { ...this.stored, 'signing-key': key }))
  }

  /** The key with which the cloud signs assertions; undefined: none is pinned. */
  cloudKey(): KeyObject | undefined {
    const { 'signing-key': key } = this.stored
    return key ? createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' }) : undefined
  }

  /** Whether a request lacks the invitation: the stored one is not sent to another server. */
  needsInvitation({ host, port = LINK_PORT, invitation }: CloudSettingsRequest): boolean {
    const { stored } = this
    const isSameServer = host === stored.host && port === stored.port
    return host !== '' && invitation === undefined && !(isSameServer && this.secrets())
  }

  /**
   * Stores the settings, in the transaction of the caller.
   * @param request has the invitation if it is needed
   * @param isRegistered whether the cloud may know the hub: one that the hub leaves then has to be told
   */
  set(request: CloudSettingsRequest, isRegistered: boolean): void {
    const { enable, host, port = LINK_PORT, invitation: text, role, ssl } = request
    const { stored } = this
    const { settings } = this.#store
    const invitation = text === undefined ? undefined : parseInvitation(text)
    const organisation = host ? (invitation?.organisation ?? stored.organisation) : ''
    const isSame = host === stored.host && port === stored.port && organisation === stored.organisation
    if (!isSame && stored.secrets && (isRegistered || stored['signing-key'])) this.#addFarewell()
    // An invitation of another key is from a user, who says with it which key to trust.
    const isOtherKey = invitation?.fingerprint !== undefined && invitation.fingerprint !== stored.fingerprint
    settings.set('cloud', {
      ...{ enable, host, port, organisation },
      ssl: ssl ?? (isSame ? stored.ssl : true),
      fingerprint: invitation?.fingerprint ?? (isSame ? stored.fingerprint : ''),
      'signing-key': isSame && !isOtherKey ? stored['signing-key'] : '',
      // What one cloud may do is not for another one.
      role: role ?? (isSame ? stored.role : 'view'),
      secrets: host ? this.#encrypt(invitation, isSame) : ''
    })
    // One cloud cannot follow a hub to another one, and a copy of a hub that leaves can register beside the other.
    if (!isSame && stored.host) settings.set('cloud-serial', '')
    if (host && !this.serial) settings.set('cloud-serial', makeSerial())
  }

  #addFarewell(): void {
    const { enable: _, role: __, ...cloud } = this.stored
    const farewell: StoredFarewell = { ...cloud, sn: this.serial, since: Date.now() }
    this.#store.settings.set('cloud-farewells', [...this.farewells, farewell].slice(-FAREWELLS_MAX))
  }

  #decrypt(secrets: string): CloudSecrets | undefined {
    const text = secrets && this.#store.encryption.decrypt(secrets, SECRETS_OWNER)
    return text ? JSON.parse(text) : undefined
  }

  #encrypt(invitation: Invitation | undefined, keepsKey: boolean): string {
    const known = this.secrets()
    const secrets: CloudSecrets = {
      key: (keepsKey && known?.key) || randomBytes(32).toString('hex'),
      code: invitation?.code ?? known?.code ?? ''
    }
    return this.#store.encryption.encrypt(JSON.stringify(secrets), SECRETS_OWNER)
  }
}

const makeSerial = () => `HUB-${randomBytes(6).toString('hex').toUpperCase()}`
