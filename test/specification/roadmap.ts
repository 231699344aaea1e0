// The entries of `docs/roadmap.md` that the tables cite.

export const MACHINE = 'Network, certificate and firewall settings, export, import, reset.'
export const HUB_UPGRADE = 'Upgrade of the whole hub with its online states, hardware update, cloud.'
export const IMPORTING =
  'The hub state *importing*, with the import of settings; a backup is restored while the hub is stopped.'
