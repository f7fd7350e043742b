import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './skip-link.module.css'

const MAIN = 'main'

/** The properties of the element that holds the screen: the focus may go there. */
export const MAIN_PROPS = { id: MAIN, tabIndex: -1, className: classes['main'] ?? '' }

/** The first thing that Tab reaches: leads past the menu to the screen. */
export function SkipLink({ main }: { main: RefObject<HTMLElement | null> }): ReactNode {
  const { t } = useTranslation()
  return (
    <a
      href={`#${MAIN}`}
      className={classes['link']}
      onClick={(event) => {
        // The address is the router's.
        event.preventDefault()
        main.current?.focus()
      }}
    >
      {t('shell.skip')}
    </a>
  )
}

/**
 * Moves the focus to a new screen, as a browser does with a new page. A field of the screen that has taken the focus keeps it.
 * @returns for the element that holds the screen
 */
export function useFocusOfScreen(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(shown)
  useEffect(() => {
    // A page that was just loaded begins at its top.
    if (before.current !== undefined && before.current !== shown && !main.current?.contains(document.activeElement)) {
      main.current?.focus({ preventScroll: true })
    }
    before.current = shown
  }, [shown])
  return main
}
