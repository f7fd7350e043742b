import type { SyntheticEvent } from 'react'

const selectAll = (event: SyntheticEvent<HTMLInputElement>): void => event.currentTarget.select()

/** For fields with few digits: what is typed replaces them. A click sets the caret after the focus, so it selects too. */
export const SELECT_ON_FOCUS = { onFocus: selectAll, onClick: selectAll }
