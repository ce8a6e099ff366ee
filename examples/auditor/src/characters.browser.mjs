export { default } from "../../../protocol/characters.txt";
