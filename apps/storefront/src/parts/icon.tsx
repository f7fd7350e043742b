/** Outlines in a square of 24, as `d` of a path. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  heart: 'M12 20s-7.5-4.6-7.5-10A4.3 4.3 0 0 1 12 7.3 4.3 4.3 0 0 1 19.5 10C19.5 15.4 12 20 12 20z',
  bag: 'M6 8h12l1 12H5L6 8zM9 8V7a3 3 0 0 1 6 0v1',
  star: 'M12 4l2.5 5.1 5.6.8-4.05 3.95.95 5.6L12 16.8l-5 2.65.95-5.6L3.9 9.9l5.6-.8L12 4z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  truck: 'M3 7h11v9H3zM14 10h4l3 3v3h-7zM7 18.5a1.5 1.5 0 1 0 0-.01M17 18.5a1.5 1.5 0 1 0 0-.01',
  refresh: 'M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5',
  award: 'M12 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM9 13l-1.5 7L12 17.5l4.5 2.5L15 13',
  leaf: 'M5 19c0-9 5-14 15-14 0 10-5 15-14 14M5 19c2-4 5-7 9-9',
  gift: 'M4 9h16v4H4zM5.5 13v7h13v-7M12 9v11M12 9S7 9 7 6.5 11 5 12 9c1-4 5-5 5-2.5S12 9 12 9z',
  shield: 'M12 3.5l7 2.5v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6l7-2.5z',
  ruler: 'M3.5 15.5l12-12 5 5-12 12-5-5zM7 12l2 2M10 9l2 2M13 6l2 2',
  dot: 'M12 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  droplet: 'M12 3.5s6 6.5 6 10.5a6 6 0 0 1-12 0c0-4 6-10.5 6-10.5z',
  info: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 11v5M12 8v.01',
  'map-pin': 'M12 20.5s6.5-5.7 6.5-10.5a6.5 6.5 0 0 0-13 0c0 4.8 6.5 10.5 6.5 10.5zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  package: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  recycle: 'M8 8l4-4.5L16 8M12 4v7M5 13l-1 5 5 1M4.5 18l6-3M19 13l1 5-5 1M19.5 18l-6-3',
  sparkle: 'M12 4l1.8 6.2L20 12l-6.2 1.8L12 20l-1.8-6.2L4 12l6.2-1.8z',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3L7 7M17 17l1.7 1.7M5.3 18.7L7 17M17 7l1.7-1.7',
  thermometer: 'M10 13.5V5.5a2 2 0 0 1 4 0v8a4 4 0 1 1-4 0zM12 9v8',
  wind: 'M3 9h11a2.5 2.5 0 1 0-2.5-2.5M3 13h15a2.5 2.5 0 1 1-2.5 2.5M3 17h7a2 2 0 1 1-2 2',
} as const

type IconName = keyof typeof PATHS

const isKnown = (name: string): name is IconName => Object.hasOwn(PATHS, name)

/**
 * Decoration: what it means stands beside it, or in the label of its button.
 * @param name of an icon, or the address of a picture
 */
export function Icon({ name, filled = false }: { name: string; filled?: boolean }) {
  if (name.includes('/')) return <img class="icon" src={name} alt="" width="24" height="24" loading="lazy" />
  return (
    <svg class={filled ? 'icon icon-filled' : 'icon'} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={PATHS[isKnown(name) ? name : 'check']} />
    </svg>
  )
}
