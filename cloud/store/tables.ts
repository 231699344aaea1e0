// The tables of the cloud. Every row belongs to an organisation, and no row can move to another one, except those of
// the tables of the cloud as a whole.
import type { ColumnType, Generated } from 'kysely'

/** The organisation of a row. `Scope` sets it, and nothing changes it. */
type Owner = ColumnType<string, string, never>

/** All times are in milliseconds since the epoch. */
export interface Tables {
  organisations: {
    organisation: Owner
    /** What a new hub presents besides the name of the organisation. */
    invitation: string
    created: number
  }
  user_groups: {
    organisation: Owner
    id: number
    name: string
    description: Generated<string>
    /** A group type of `permissions.ts`. */
    type: number
    permission: number
    /** 1: members must have a second factor. */
    require_second_factor: Generated<number>
  }
  users: {
    organisation: Owner
    /** One bit of an unsigned 32-bit mask, as of users of a hub. */
    id: number
    name: string
    nick: Generated<string>
    group_id: number
    /** argon2id in PHC format. */
    password_hash: string
    /** 1 while the user has the password that a new organisation is created with. */
    default_password: number
    /** 0 = never. */
    last_login: Generated<number>
    /** End of the account; -1 = none. */
    expires: Generated<number>
    /** 1: sees only what names the user. */
    guest: Generated<number>
    /** Secret of the second factor; empty = none. */
    second_factor: Generated<string>
    /** When the second factor was switched on; 0 = off. */
    second_factor_since: Generated<number>
    /** Time step of the code that was accepted last. */
    second_factor_step: Generated<number>
  }
  sessions: {
    organisation: Owner
    /** SHA-256 of the secret. */
    hash: string
    /** Number by which users end it, not derived from the secret. */
    id: number
    user_id: number
    created: number
    last_used: number
    /** Last proof of the password. */
    authenticated: number
    address: string
    agent: string
  }
  hubs: {
    organisation: Owner
    sn: string
    name: string
    version: string
    /** SHA-256 of the key with which the hub registered first. */
    key_hash: string
    /** A registration state: pending, accepted or rejected. */
    state: number
    address: string
    registered: number
    /** Name that users of the cloud have given it; empty = its own name. */
    label: Generated<string>
    /** 0 = no group. */
    catalog_id: Generated<number>
    /** 1: inherits its visibility from its group, else from the default. */
    is_inherit: Generated<number>
    group_mask: Generated<number>
    usr_mask: Generated<number>
    /** Mask of the ids of the users who have it among their favorites. */
    favorites: Generated<number>
    /** When it was connected last: exact if its link has ended, else written every minute. 0 = unknown. */
    last_seen: Generated<number>
  }
  /** The last digest of each hub. */
  digests: {
    organisation: Owner
    sn: string
    /** JSON of `StoredDigest`. */
    body: string
    /** When the hub confirmed it last. */
    received: number
    /** Differs for each body of a hub. */
    revision: number
  }
  /** Recovery codes of second factors, as hashes. */
  recovery_codes: {
    organisation: Owner
    user_id: number
    hash: string
  }
  /** Access tokens. */
  tokens: {
    organisation: Owner
    id: number
    /** SHA-256 of the token; no two organisations have one token. */
    hash: string
    /** First characters of the token. */
    begin: string
    name: string
    user_id: number
    /** Separated by spaces. */
    scopes: string
    created: number
    /** -1 = never. */
    expires: number
    /** Last use; 0 = never used. */
    used: Generated<number>
    used_address: Generated<string>
  }
  /** Groups of hubs: a tree. */
  catalogs: {
    organisation: Owner
    id: number
    /** 0 = top level. */
    parent_id: number
    name: string
    created: number
    is_inherit: Generated<number>
    group_mask: Generated<number>
    usr_mask: Generated<number>
  }
  settings: {
    organisation: Owner
    name: string
    /** JSON. */
    value: string
  }
  /** Sessions of opened hubs, each of a session of the cloud, and tickets for them (`relay/hub-sessions.ts`). */
  hub_sessions: {
    organisation: Owner
    /** SHA-256 of the secret. */
    hash: string
    /** Hash of the session of the cloud. */
    session: string
    sn: string
    /** The page of a device or the forwarded port that is opened (`contract/cloud/relay.ts`); empty: the console. */
    target: string
    /** 1: a ticket, which can be exchanged for a session once. */
    is_ticket: number
    created: number
  }
  /** Updates of hubs in waves (`contract/cloud/rollout.ts`). */
  rollouts: {
    organisation: Owner
    id: number
    version: string
    /** The user with whose rights hubs are called; 0 = deleted. */
    user_id: number
    user_name: string
    /** IP address from which the user has started or resumed it. */
    address: string
    created: number
    /** When the user proved the password for it. */
    approved: number
    /** 0 = not ended. */
    ended: number
    /** A `RolloutState`. */
    state: string
    /** A `RolloutCause`; empty = none. */
    cause: string
    first: number
    growth: number
    /** Hubs of a wave at most. */
    wave_max: number
    pause_minutes: number
    stop_after: number
    /** 1: streams may be interrupted. */
    interrupt: number
    /** Number of the current wave, from 1. */
    wave: number
    /** When the hubs of the current wave were updated, and the pause began; 0 = not yet. */
    wave_ended: number
    /** Failures that no longer count, because a user has resumed the rollout. */
    forgiven: number
    /** The node that works on it; empty = none. */
    node: string
    /** Counts the nodes that have taken it, so that one that has lost it writes nothing any more. */
    epoch: number
  }
  rollout_hubs: {
    organisation: Owner
    rollout_id: number
    sn: string
    /** Order, from 0. */
    position: number
    name: string
    /** A `RolloutHubState`. */
    state: string
    /** A `RolloutStep`; empty = not active. */
    step: string
    /** Percent; -1 = unknown. */
    progress: number
    /** 0 = not started. */
    wave: number
    from_version: string
    version: string
    /** A `RolloutHubCause`; empty = none. */
    cause: string
    /** Result code of the hub; 0 = none. */
    result: number
    /** What the hub said, in English and Chinese. */
    detail_en: string
    detail_zh: string
    started: number
    changed: number
    ended: number
  }
  log_entries: {
    organisation: Owner
    id: Generated<number>
    time: number
    /** Empty for what no user did. */
    user_name: string
    address: string
    /** Path of a call, or name of an event. */
    event: string
    detail: string
    /** Result code of a call; 0 for an event. */
    result: number
    /** A level of `contract/log.ts`. */
    level: Generated<number>
    /** Serial number of the hub that an event is about; empty for others. */
    sn: Generated<string>
    /** Name of the access token with which a program called; empty for sessions. */
    token: Generated<string>
  }
}

export type TableName = keyof Tables

/** Tables of the cloud as a whole, which are not of an organisation. No `Scope` reaches them. */
export interface CloudTables {
  /** The rollouts that have not ended, by which nodes find work. */
  rollout_queue: {
    organisation: string
    id: number
  }
  /** The nodes that run, or did so until recently. */
  nodes: {
    id: string
    /** `host:port` for hubs; empty: the address of the cloud. */
    address: string
    /** Counts up while the node runs. */
    heartbeat: number
    /** `host:port` at which other nodes reach it; empty: not at all. */
    peer_address: Generated<string>
    /** Pin of the public key with which it proves to other nodes that it is this one. */
    pin: Generated<string>
    /** Signature of the cloud over the three (`nodes/node-identity.ts`). */
    signature: Generated<string>
  }
  /** The links of hubs at all nodes. Those of a node are deleted with its row. */
  links: {
    /** Grows with each claim: the newer one wins. */
    epoch: Generated<number>
    node: string
    organisation: string
    sn: string
    /** `HubHello.instance`: differs between hubs with one key. */
    instance: string
    name: string
    address: string
    /** 1: waits, because another hub with its key and serial number is connected. */
    is_held: number
  }
  /** Numbers with which the pages of an organisation notice changes of its links, at whichever node they ask. */
  revisions: {
    organisation: string
    revision: number
  }
  /** The signing key of the cloud and its predecessors. Rows are only added. */
  signing_keys: {
    /** 1 for the first key. */
    number: number
    /** SPKI, DER, in base64. */
    public_key: string
    /** PKCS #8, DER, in base64, encrypted with the key file. */
    private_key: string
    /** Signature of the predecessor, in base64; empty for the first key. */
    signature: string
    created: number
  }
}
