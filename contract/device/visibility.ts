// Visibility of devices and catalogs: which users and user groups see them (docs/wire.md, "Visibility").

/** A `group-mask` that makes an object visible to every group, including groups that are created later. */
export const ALL_GROUPS = 4294967295

/** Masks of the ids of users and user groups that see an object; each id is one bit. The Admin group sees every object. */
export interface Visibility {
  /** `ALL_GROUPS`, or ids of existing groups. */
  'group-mask': number
  /** Ids of existing users. */
  'usr-mask': number
}

export interface DeviceSecurity extends Partial<Visibility> {
  /** Non-zero: inherits from the catalog, else from the global default. The masks are then not needed. */
  'is-inherit': number | boolean
}
