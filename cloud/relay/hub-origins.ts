// The origins of hubs in the cloud. Each hub has its own, so that scripts that a hub serves can act on no other hub and
// not on the cloud: `<serial number>.<domain>`, and `<serial number>--<organisation>.<domain>` for organisations other
// than that of the first start, because two organisations may have hubs with one serial number. Pages of devices and
// forwarded ports have origins of their own, too.
import { createHash } from 'node:crypto'
import { ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import { hostNameOf } from '../../web-server/host-header.ts'

/** A hub of an organisation. */
export interface HubKey {
  organisation: string
  sn: string
}

/** What an origin shows: the console of a hub, or something behind the hub. */
export interface HubPlace extends HubKey {
  /** `pageOf` the web page of a device or a forwarded port; undefined: the console. */
  page?: string | undefined
}

/** The part of a host name that stands for a target (`contract/cloud/relay.ts`). */
export const pageOf = (target: string): string =>
  createHash('sha256').update(target).digest('hex').slice(0, PAGE_DIGITS)

const PAGE_DIGITS = 16

interface HubOriginsOptions {
  /** Domain whose subdomains are hubs. Browsers resolve those of `localhost` to the machine on which they run. */
  domain: string
  /** The organisation of the first start. */
  defaultOrganisation: string
}

/** A serial number in lower case, which has no two hyphens in a row, the page behind the hub, and the organisation. */
const LABEL = /^((?:[a-z0-9]|-(?!-))+)(?:---([0-9a-f]{16}))?(?:--(.+))?$/

export class HubOrigins {
  readonly #options: HubOriginsOptions

  constructor(options: HubOriginsOptions) {
    this.#options = options
  }

  /** Sources of Content-Security-Policy that match all hubs. @param host Host header of the cloud, with its port */
  sources(host: string): string {
    return `*.${this.#options.domain}${portOf(host)}`
  }

  /** The host of a hub, with the port of the cloud. @param host Host header of the cloud */
  hostOf({ organisation, sn, page }: HubPlace, host: string): string {
    const { domain, defaultOrganisation } = this.#options
    const behind = page === undefined ? '' : `---${page}`
    const suffix = organisation === defaultOrganisation ? '' : `--${organisation}`
    return `${sn.toLowerCase()}${behind}${suffix}.${domain}${portOf(host)}`
  }

  /** What a Host header names; undefined: the cloud, or nothing. */
  find(host: string | null | undefined): HubPlace | undefined {
    const { domain, defaultOrganisation } = this.#options
    const name = hostNameOf(host)
    if (!name?.endsWith(`.${domain}`)) return undefined
    const [, sn, page, organisation = defaultOrganisation] = LABEL.exec(name.slice(0, -domain.length - 1)) ?? []
    return sn && ORGANISATION_NAME.test(organisation) ? { organisation, sn: sn.toUpperCase(), page } : undefined
  }
}

const portOf = (host: string) => /:\d+$/.exec(host)?.[0] ?? ''
