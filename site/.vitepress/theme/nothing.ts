/** Stands for a component that is never shown. */
export default () => null;
