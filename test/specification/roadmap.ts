// The entries of `docs/roadmap.md` that the tables cite.

export const HUB_UPGRADE = 'Upgrade of the whole hub with its online states, hardware update, cloud.'
