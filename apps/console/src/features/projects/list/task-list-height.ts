const storageKey = 'taskListHeight'

/** The height that the task list last had on this device: its space until it is loaded. */
export const lastTaskListHeight = () => Number(localStorage.getItem(storageKey)) || 0

export const storeTaskListHeight = (height: number) => localStorage.setItem(storageKey, `${height}`)
