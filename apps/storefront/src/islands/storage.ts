/** Private windows and a full storage throw: pages then work without stored values. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** @param value `null` for no change, empty to delete it */
export function keep(key: string, value: string | null): void {
  try {
    if (value === '') localStorage.removeItem(key)
    else if (value !== null) localStorage.setItem(key, value)
  } catch {
    // As in read().
  }
}

/** Deletes what only this tab has kept. */
export function deleteInTab(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // As in read().
  }
}
