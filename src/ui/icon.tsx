// The icons in use: strokes of 1.5 px on a grid of 24. An icon is always accompanied by a label or a tooltip.

const PATHS = {
  network: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  dashboard: 'M4 13a8 8 0 1 1 16 0M12 13l3.5-4M4 18h16',
  live: 'M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4M7 7a7 7 0 0 0 0 10M17 7a7 7 0 0 1 0 10',
  events: 'M3 12h4l3-7 4 14 3-7h4',
  hub: 'M4 7h16v10H4zM8 12h.01M12 12h5',
  channels: 'M3 12h4M17 7h4M17 17h4M7 9h4v6H7zM11 12h3V7h3M14 12v5h3',
  input: 'M14 4h5v16h-5M4 12h10M10 8l4 4-4 4',
  output: 'M10 4H5v16h5M9 12h11M16 8l4 4-4 4',
  devices: 'M4 5h16v6H4zM4 13h16v6H4zM7 8h.01M7 16h.01',
  pending: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2',
  license: 'M5 3h14v12H5zM8 7h8M8 11h4M14 15v6l2-2 2 2v-6',
  certificate: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
  warning: 'M12 4 3 19h18zM12 10v4M12 17h.01',
  group: 'M3 6h6l2 2h10v11H3z',
  star: 'm12 3 3 6 6 1-4 4 1 6-6-3-6 3 1-6-4-4 6-1z',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 20c1-7 15-7 16 0',
  profile: 'M4 5h16v14H4zM9 9a2 2 0 1 0 0 4 2 2 0 0 0 0-4M6 17c1-3 5-3 6 0M15 10h2M15 14h2',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  delete: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  play: 'M7 5v14l12-7z',
  stop: 'M6 6h12v12H6z',
  record: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16',
  check: 'm5 12 5 5L19 7',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4 4',
  grid: 'M4 4h16v16H4zM12 4v16M4 12h16',
  list: 'M4 6h.01M4 12h.01M4 18h.01M8 6h12M8 12h12M8 18h12',
  up: 'm6 15 6-6 6 6',
  down: 'm6 9 6 6 6-6',
  left: 'm15 6-6 6 6 6',
  right: 'm9 6 6 6-6 6',
  back: 'M20 12H4M10 6l-6 6 6 6',
  language: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M4 12h16M12 4c-4 4-4 12 0 16M12 4c4 4 4 12 0 16',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11 12l8-8M16 7l3 3',
  more: 'M4 11h2v2H4zM11 11h2v2h-2zM18 11h2v2h-2z',
  menu: 'M4 6h16M4 12h16M4 18h16',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8h.01',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2z',
  eye: 'M2 12c4-8 16-8 20 0-4 8-16 8-20 0M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4v6M9 14v6',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5 19 19M5 19l1.5-1.5M17.5 6.5 19 5',
  moon: 'M19 14A8 8 0 1 1 10 5a7 7 0 0 0 9 9',
  columns: 'M4 5h16v14H4zM9.3 5v14M14.7 5v14',
  port: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  router: 'M3 6h5l8 12h5M3 18h5l8-12h5M18 3l3 3-3 3M18 15l3 3-3 3',
  lock: 'M6 11h12v9H6zM9 11V7a3 3 0 0 1 6 0v4',
  forward: 'M4 7h9l4 5-4 5H4M13 12h7M17 9l3 3-3 3',
  firmware: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  upgrade: 'M12 20V9M7 13l5-5 5 5M5 4h14',
  reject: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M6.5 6.5l11 11',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  retry: 'M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5',
  audio: 'M4 10v4M8 7v10M12 4v16M16 8v8M20 10v4',
  camera: 'M3 7h12v10H3zM15 11l6-3v8l-6-3',
  wireless: 'M12 18h.01M8.5 14.5a5 5 0 0 1 7 0M5.5 11.5a9 9 0 0 1 13 0'
} as const

export type IconName = keyof typeof PATHS

export const isIconName = (name: string): name is IconName => Object.hasOwn(PATHS, name)

/** Draws an icon in the current text colour. Hidden from screen readers, which read the label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
