// The entries of `docs/roadmap.md` that the tables cite.

export const NDI_RUNTIME = 'NDI with a real runtime: presets, discovery settings, the router.'
export const MACHINE = 'General, network, certificate and firewall settings, export, import, reset.'
export const HUB_UPGRADE =
  'Upgrade of the whole hub with its online states, hardware update, cloud. Their states have no sentences in the console yet, because no call reports them.'
