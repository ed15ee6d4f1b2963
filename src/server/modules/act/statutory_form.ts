import statutoryAct from './statutory_act.ts';

/** The condition of a form is checked like that of an act. */
export default statutoryAct;
